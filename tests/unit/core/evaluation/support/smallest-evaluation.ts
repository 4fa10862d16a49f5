import { EvaluationSchema } from '#core/evaluation/evaluation.ts';

/** Only what an Evaluation must have. */
export const smallest = {
  name: 'HTTP/2 against HTTP/1.1',
  urlLists: { pages: ['http://origin.test/'] },
  userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
  scenarios: [{ name: 'HTTP/1.1', baseline: true }, { name: 'HTTP/2' }],
};

/** What is wrong with the smallest Evaluation after this change. */
export function problemsOf(change: object): string[] {
  const result = EvaluationSchema.safeParse({ ...smallest, ...change });
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

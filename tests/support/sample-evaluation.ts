import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';

/** Two User Agents on one host, two Scenarios, three URLs. */
export const evaluationYaml = `name: Proxy or not
urlLists:
  pages:
    - url: http://origin.test/images/{1..2}
      variables: { images: "{1}" }
    - http://origin.test/plain
userAgents:
  - { name: alice, host: laptop, urlList: pages }
  - { name: bob, host: laptop, urlList: pages }
scenarios:
  - name: direct
    baseline: true
  - name: proxy
    browser:
      proxy: http://proxy.test:3128
repetition:
  rounds: 2
`;

export function makeEvaluation(changes: Partial<Evaluation> = {}): Evaluation {
  const userAgent = { host: 'laptop', urlList: 'pages' };
  return {
    ...EvaluationSchema.parse({
      name: 'Proxy or not',
      urlLists: { pages: ['http://origin.test/images/{1..2}', 'http://origin.test/plain'] },
      userAgents: [
        { name: 'alice', ...userAgent },
        { name: 'bob', ...userAgent },
      ],
      scenarios: [{ name: 'direct', baseline: true }, { name: 'proxy' }],
      repetition: { rounds: 2 },
    }),
    ...changes,
  };
}

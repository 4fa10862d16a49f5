import { issueToken } from '#controller/people/tokens.ts';
import type { TestController } from '#tests/support/controller.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';

/** Two completed Runs of an Evaluation, the later with another name and confidence, and what lets a command use the Controller. */
export async function storeTwoRuns({
  pool,
  url,
}: TestController['controller']): Promise<{ access: Record<string, string>; first: string; second: string }> {
  const { token } = await issueToken(pool, { name: 'command line', scope: 'api' });
  const repetition = { order: 'random-blocks' as const, rounds: 4, warmUp: false, attempts: 1 };
  const evaluation = makeEvaluation({ repetition });
  const later = {
    ...evaluation,
    name: 'A later name that is longer than a line of the list has room for',
    comparison: { ...evaluation.comparison, confidence: 0.9 },
  };
  const { runId: first } = await storeCompletedRun(pool, { evaluation, totalMsOf: ({ block }) => 1000 + block });
  const { runId: second } = await storeCompletedRun(pool, {
    evaluation: later,
    totalMsOf: ({ block }) => 1300 + block,
  });
  return { access: { HTTP_AE_CONTROLLER: url, HTTP_AE_TOKEN: token }, first, second };
}

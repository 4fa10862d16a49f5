import { storeCapture } from '#controller/captures/captures.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { startWebUi, type WebUi } from '#tests/support/web-ui.ts';

export const hostile = '<img src=x onerror=alert(1)>';

/** The web UI with a completed Run that has Captures, and names that would be markup. */
export async function openReportedRun(): Promise<{ ui: WebUi; runId: string }> {
  const ui = await startWebUi();
  const { pool } = ui.controller.database;
  const user = (name: string, userClass: string) => ({ name, userClass, host: 'laptop', urlList: 'pages' });
  const evaluation = EvaluationSchema.parse({
    name: `Proxy or ${hostile}`,
    urlLists: { pages: [{ url: 'http://origin.test/images/{1..3}', variables: { images: '{1}' } }] },
    userAgents: [user('alice', 'gold'), user('bob', 'bronze')],
    scenarios: [
      { name: 'direct', baseline: true },
      {
        name: hostile,
        description: hostile,
        browser: { userAgentString: hostile },
        setUp: [{ host: 'laptop', script: `echo '${hostile}'\ntrue` }],
      },
    ],
    repetition: { rounds: 4 },
  });
  const stored = await storeCompletedRun(pool, {
    evaluation,
    totalMsOf: ({ scenario, userAgent, url, block }) =>
      (scenario === 'direct' ? 1000 : 600) * (userAgent === 'bob' ? 1.2 : 1) * Number(url.at(-1)) + 7 * block,
  });
  for (const passId of new Set(stored.visits.map((visit) => visit.passId)))
    await storeCapture(pool, { captureId: passId, outcome: makeCaptured() });
  return { ui, runId: stored.runId };
}

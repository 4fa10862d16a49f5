import { randomUUID } from 'node:crypto';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { listVisits } from '#core/evaluation/list-visits.ts';
import { explainNoCapture } from '#core/evaluation/explain-no-capture.ts';
import { PageLoadSchema } from '#core/evaluation/page-load.ts';
import type { UserAgent } from '#core/evaluation/user-agent.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';

/** The order of every User Agent's Pass of one Round. */
export function orderPasses(round: {
  id: string;
  runId: string;
  evaluation: Evaluation;
  scenario: string;
}): { order: PassOrder; agent: string }[] {
  const { runId, evaluation } = round;
  // What Visits count for is no affair of the Agents.
  const pageLoad = PageLoadSchema.strip().parse(evaluation.pageLoad);
  const scenario = evaluation.scenarios.find((each) => each.name === round.scenario);
  if (!scenario) throw new Error(`Run ${runId} has no Scenario "${round.scenario}"`);

  return evaluation.userAgents.map((userAgent) => ({
    agent: userAgent.host,
    order: {
      passId: randomUUID(),
      runId,
      roundId: round.id,
      scenario: scenario.name,
      userAgent: userAgent.name,
      engine: userAgent.engine,
      osUser: userAgent.osUser,
      sourceAddress: userAgent.sourceAddress,
      interface: userAgent.interface,
      pageLoad,
      browser: scenario.browser,
      artefacts: evaluation.artefacts,
      capture: captureOf(evaluation, userAgent),
      visits: listVisits(evaluation, userAgent.urlList),
    },
  }));
}

function captureOf(evaluation: Evaluation, userAgent: UserAgent): PassOrder['capture'] {
  const { snapBytes, maxBytesPerPass, keepTraces } = evaluation.capture;
  return explainNoCapture(evaluation, userAgent) === null ? { snapBytes, maxBytesPerPass, keepTraces } : null;
}

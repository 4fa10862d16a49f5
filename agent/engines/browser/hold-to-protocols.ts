import { failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import { explainOtherProtocol } from '#core/metrics/explain-other-protocol.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import type { EngineSettings } from '../engine.ts';
import { listOrigins } from './list-origins.ts';

/** Browsers fall back to another version of HTTP without a word. Where `protocols` is HTTP/2 or HTTP/3 alone, a Visit with an object by another is a failed one. */
export function holdToProtocols(
  outcome: VisitOutcome,
  { browser: { protocols }, urls = [] }: Pick<EngineSettings, 'browser' | 'urls'>,
): VisitOutcome {
  const [only] = protocols?.length === 1 ? protocols : [];
  if (outcome.status === 'failed' || (only !== 'h2' && only !== 'h3')) return outcome;
  const { snapshot } = outcome;
  const origins = listOrigins([...urls, snapshot.requestedUrl]).map(({ origin }) => origin);
  const problem = explainOtherProtocol(snapshot, { protocol: only, origins });
  return problem === null ? outcome : failedOutcome(new VisitFailure('protocol-not-used', problem, snapshot));
}

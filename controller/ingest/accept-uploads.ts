import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { CompressedVisit } from '#core/protocol/sent-visit.ts';
import { explainVisitRefusal } from '#core/protocol/visit-refusal.ts';
import { retryTransient } from '../database/retry-transient.ts';
import type { AgentHub } from '../agents/agent-hub.ts';
import type { PrometheusMetrics } from '../operating/prometheus-metrics.ts';
import type { UploadEvents } from './upload-events.ts';
import type { VisitIngest } from './visit-ingest.ts';

/** What an Agent has sent it sends again on a new line only. Not at once, as what is in the way may last. */
export const reconnectAfterMs = 5_000;

/**
 * Stores what Agents upload and acknowledges it after the commit. While the database is away the upload waits; the Agent
 * keeps its copy until the acknowledgement. Emits `stored` after each commit.
 */
export function acceptUploads(
  hub: AgentHub,
  options: {
    ingest: VisitIngest;
    metrics: Pick<PrometheusMetrics, 'countUpload'>;
    log: Logger;
    signal: AbortSignal;
  },
): EventEmitter<UploadEvents> {
  const { ingest, metrics, log, signal } = options;
  const uploads = new EventEmitter<UploadEvents>();

  const accept = async (agent: string, visits: CompressedVisit[]) => {
    const startedMs = performance.now();
    const { storedIds, refusals } = await retryTransient(() => ingest.store(agent, visits), { signal, log });
    metrics.countUpload({
      storedVisits: storedIds.length,
      refusedVisits: new Map([...refusals].map(([code, { visitIds }]) => [code, visitIds.length])),
      ms: performance.now() - startedMs,
    });
    if (storedIds.length > 0) hub.send(agent, { type: 'visits-stored', visitIds: storedIds });
    for (const [code, { visitIds }] of refusals) {
      log.error(
        { agent, code, visitIds: visitIds.slice(0, 10) },
        `${visitIds.length} Visits of an Agent are rejected: ${explainVisitRefusal(code)}`,
      );
      hub.send(agent, { type: 'visits-refused', visitIds, code, reason: explainVisitRefusal(code) });
    }
    const acknowledged = new Set(storedIds);
    const passIds = visits.flatMap(({ visit: { id, passId } }) => (acknowledged.has(id) ? [passId] : []));
    uploads.emit('stored', { agent, passIds, isRefused: refusals.size > 0 });
  };

  hub.on('visits', (agent, visits, end) => {
    accept(agent, visits)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        log.error(
          { err: error, agent },
          'Cannot store uploaded Visits; the Agent is disconnected and sends them again when it reconnects',
        );
        setTimeout(() => hub.breakLine(agent), reconnectAfterMs).unref();
      })
      .finally(end);
  });
  return uploads;
}

import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { CaptureReport } from '#core/protocol/capture-outcome.ts';
import type { TraceArchive } from '../artefacts/trace-archive.ts';
import { isCaptureOf, storeCapture } from '../db/captures.ts';
import { isDataError } from '../db/connection/is-data-error.ts';
import { retryTransient } from '../db/connection/retry-transient.ts';
import type { AgentHub } from '../hub/agent-hub.ts';
import { reconnectAfterMs } from './accept-uploads.ts';
import type { UploadEvents } from './upload-events.ts';

interface AcceptOptions {
  pool: Pool;
  traces: TraceArchive;
  /** Emits `stored` after each commit. */
  uploads: EventEmitter<UploadEvents>;
  log: Logger;
  signal: AbortSignal;
}

/** Stores the Captures that Agents upload, and acknowledges each after the commit; until then the Agent keeps its copy. */
export function acceptCaptures(hub: AgentHub, { pool, traces, uploads, log, signal }: AcceptOptions): void {
  const accept = async (agent: string, capture: CaptureReport) => {
    const { captureId } = capture;
    const refuse = (reason: string) => hub.send(agent, { type: 'capture-refused', captureId, reason });
    const refusal = await retryTransient(() => findRefusal(agent, capture), { signal, log });
    if (refusal !== null) {
      refuse(refusal);
      return;
    }
    const trace = keptTraceOf(capture);
    const held = trace && (await retryTransient(() => traces.findStore(trace.sha256), { signal, log }));
    if (trace && !held) {
      hub.send(agent, { type: 'capture-wanted', captureId });
      return;
    }
    try {
      const counted = held ? withTraceBytes(capture, held.bytes) : capture;
      await retryTransient(() => storeCapture(pool, counted, held?.store), { signal, log });
    } catch (error) {
      if (!isDataError(error)) throw error;
      log.error({ err: error, agent, captureId }, 'The database cannot store a Capture; it is rejected');
      refuse('The database cannot store it: a value is out of range');
      return;
    }
    hub.send(agent, { type: 'capture-stored', captureId });
    uploads.emit('stored', { agent, passIds: [], isRefused: false });
    await traces.makeRoom();
  };

  const findRefusal = async (agent: string, { captureId }: CaptureReport) =>
    (await isCaptureOf(pool, agent, captureId)) ? null : 'This Controller ordered no such Capture from this Agent';

  hub.on('message', (agent, message) => {
    if (message.type !== 'capture') return;
    accept(agent, message.capture).catch((error: unknown) => {
      if (signal.aborted) return;
      log.error(
        { err: error, agent },
        'Cannot process an uploaded Capture; the Agent is disconnected and sends it again when it reconnects',
      );
      setTimeout(() => hub.breakLine(agent), reconnectAfterMs).unref();
    });
  });
}

const keptTraceOf = ({ outcome }: CaptureReport) =>
  outcome.kind === 'captured' && outcome.trace.kind === 'kept' ? outcome.trace : null;

/** How many bytes its trace has is counted by the Controller: what an Agent says of it would decide which traces of others are removed. */
function withTraceBytes(capture: CaptureReport, bytes: number): CaptureReport {
  const { outcome } = capture;
  if (outcome.kind !== 'captured' || outcome.trace.kind !== 'kept') return capture;
  return { ...capture, outcome: { ...outcome, trace: { ...outcome.trace, bytes } } };
}

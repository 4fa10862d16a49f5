import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { CaptureReport } from '#core/protocol/capture-outcome.ts';
import { isStoreAway } from '../captures/artefacts/artefact-store.ts';
import type { TraceArchive } from '../captures/artefacts/trace-archive.ts';
import { findStoredCaptures, isCaptureOf, storeCapture } from '../captures/captures.ts';
import { retryTransient } from '../database/is-transient.ts';
import { isDataError } from '../database/queryable.ts';
import { inTransaction } from '../database/transaction.ts';
import { claimTrace } from '../captures/unclaimed-traces.ts';
import type { AgentHub } from '../agents/agent-hub.ts';
import type { UploadEvents } from './accept-uploads.ts';

/** Of one Agent, which sends the next one when it has the answer; on a new line, another may still be in work. */
const mostInWork = 4;

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
    const want = () => hub.send(agent, { type: 'capture-wanted', captureId });
    const refuse = (reason: string) => hub.send(agent, { type: 'capture-refused', captureId, reason });
    const refusal = await retryTransient(() => findRefusal(agent, capture), { signal, log });
    if (refusal !== null) {
      refuse(refusal);
      return;
    }
    // Sent again, as the answer was lost: its trace may have made room for others since.
    const known = await retryTransient(() => findStoredCaptures(pool, [captureId]), { signal, log });
    if (known.size > 0) {
      hub.send(agent, { type: 'capture-stored', captureId });
      return;
    }
    const held = await findHeld(capture);
    if (held === 'missing') {
      want();
      return;
    }
    try {
      const counted = held ? withTraceBytes(capture, held.bytes) : capture;
      if (!(await retryTransient(() => store(counted, held), { signal, log }))) {
        want();
        return;
      }
    } catch (error) {
      if (!isDataError(error)) throw error;
      log.error({ err: error, agent, captureId }, 'The database cannot store a Capture; it is rejected');
      refuse('The database cannot store it: a value is out of range');
      return;
    }
    hub.send(agent, { type: 'capture-stored', captureId });
    uploads.emit('stored', { agent, passIds: [], isRefused: false });
    await traces.makeRoom().catch(unlessAway); // noted: the next sweep removes them
  };

  /** Where its trace is; null where it keeps none. While the store is away, it is not known to be there: the Agent keeps it. */
  const findHeld = async (capture: CaptureReport) => {
    const trace = keptTraceOf(capture);
    if (!trace) return null;
    const held = await retryTransient(() => traces.findStore(trace.sha256), { signal, log }).catch(unlessAway);
    return held ? { ...held, sha256: trace.sha256 } : 'missing';
  };

  /** False when its trace was removed meanwhile. */
  const store = (capture: CaptureReport, held: { sha256: string; store: string } | null) =>
    inTransaction(pool, async (client) => {
      if (held && !(await claimTrace(client, held))) return false;
      await storeCapture(client, capture, held?.store);
      return true;
    });

  const findRefusal = async (agent: string, { captureId }: CaptureReport) =>
    (await isCaptureOf(pool, agent, captureId)) ? null : 'This Controller ordered no such Capture from this Agent';

  const inWork = new Map<string, number>();
  hub.on('message', (agent, message) => {
    if (message.type !== 'capture') return;
    const before = inWork.get(agent) ?? 0;
    if (before >= mostInWork) {
      log.warn({ agent }, 'An Agent sends Captures before it has an answer: it is disconnected');
      hub.breakLine(agent);
      return;
    }
    inWork.set(agent, before + 1);
    accept(agent, message.capture)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        const problem =
          'Cannot process an uploaded Capture; the Agent is disconnected and sends it again when it reconnects';
        hub.breakLineLater(agent, { error, problem });
      })
      .finally(() => {
        const left = inWork.get(agent)! - 1;
        if (left > 0) inWork.set(agent, left);
        else inWork.delete(agent);
      });
  });
}

const keptTraceOf = ({ outcome }: CaptureReport) =>
  outcome.kind === 'captured' && outcome.trace.kind === 'kept' ? outcome.trace : null;

function unlessAway(error: unknown): undefined {
  if (!isStoreAway(error)) throw error;
}

/** How many bytes its trace has is counted by the Controller: what an Agent says of it would decide which traces of others are removed. */
function withTraceBytes(capture: CaptureReport, bytes: number): CaptureReport {
  const { outcome } = capture;
  if (outcome.kind !== 'captured' || outcome.trace.kind !== 'kept') return capture;
  return { ...capture, outcome: { ...outcome, trace: { ...outcome.trace, bytes } } };
}

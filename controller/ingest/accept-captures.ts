import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { PassCapture } from '#core/protocol/capture.ts';
import type { TraceArchive } from '../artefacts/trace-archive.ts';
import { storeCapture } from '../db/captures.ts';
import { retryTransient } from '../db/retry-transient.ts';
import { findPassesOf } from '../db/visits.ts';
import type { AgentHub } from '../hub/agent-hub.ts';

interface AcceptOptions {
  pool: Pool;
  traces: TraceArchive;
  /** Told `stored` after each commit. */
  uploads: EventEmitter<{ stored: [] }>;
  log: Logger;
  signal: AbortSignal;
}

/** Stores the Captures that Agents upload, and acknowledges each after the commit; until then the Agent keeps its copy. */
export function acceptCaptures(hub: AgentHub, { pool, traces, uploads, log, signal }: AcceptOptions): void {
  const accept = async (agent: string, capture: PassCapture) => {
    const { passId } = capture;
    const refusal = await retryTransient(() => findRefusal(agent, capture), { signal, log });
    if (refusal !== null) {
      hub.send(agent, { type: 'capture-refused', passId, reason: refusal });
      return;
    }
    await retryTransient(() => storeCapture(pool, capture), { signal, log });
    hub.send(agent, { type: 'capture-stored', passId });
    uploads.emit('stored');
    await traces.makeRoom(pool);
  };

  const findRefusal = async (agent: string, { passId, outcome }: PassCapture) => {
    const passes = await findPassesOf(pool, agent, [passId]);
    if (!passes.has(passId)) return 'It belongs to no Pass that this Agent was ordered to make here';
    const trace = outcome.kind === 'captured' && outcome.trace.kind === 'kept' ? outcome.trace : null;
    return trace === null || (await traces.files.has(trace.sha256)) ? null : 'Its trace was not uploaded before';
  };

  hub.on('message', (agent, message) => {
    if (message.type !== 'capture') return;
    accept(agent, message.capture).catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error, agent }, 'An uploaded Capture could not be dealt with; one that is not stored, its Agent sends again when it connects');
    });
  });
}

import type { Server } from 'node:http';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { verifyToken } from './access/issue-token.ts';
import { RunCoordinator } from './coordinator/run-coordinator.ts';
import { recordAgent, recordAgentClock, recordAgentSeen } from './db/agents.ts';
import type { DiskSpace } from './artefacts/disk-space.ts';
import type { TraceArchive } from './artefacts/trace-archive.ts';
import { AgentHub } from './hub/agent-hub.ts';
import { acceptCaptures } from './ingest/accept-captures.ts';
import { acceptUploads } from './ingest/accept-uploads.ts';
import { VisitIngest } from './ingest/visit-ingest.ts';
import type { AgentPresence, RunControl } from './run-control.ts';

/** What executes Runs: the hub of Agents, the ingest of their Visits, the coordinator. */
export interface RunServices extends AsyncDisposable {
  runControl: RunControl;
  agents: AgentPresence;
  /** Takes Agents on this HTTP server, and begins to execute Runs. */
  start(httpServer: Server): void;
}

/** Disposing of it leaves the Run under way, its hosts put back, to the next start. */
export function createRunServices(options: { pool: Pool; traces: TraceArchive; disk: DiskSpace; log: Logger; controllerVersion: string }): RunServices {
  const { pool, traces, disk, log, controllerVersion } = options;
  const lifetime = new AbortController();
  const hub = new AgentHub({
    controllerVersion,
    verifyToken: async ({ token, name }) => {
      const found = await verifyToken(pool, token, 'agent');
      return found && (name === null || found.agentName === null || found.agentName === name) ? found.id : null;
    },
    recordAgent: (agent) => recordAgent(pool, agent),
    log,
  });
  const uploads = acceptUploads(hub, { ingest: new VisitIngest(pool, log), log, signal: lifetime.signal });
  acceptCaptures(hub, { pool, traces, uploads, log, signal: lifetime.signal });
  const coordinator = new RunCoordinator({ pool, hub, disk, uploads, log });

  const warn = (error: unknown) => log.warn({ err: error }, 'What an Agent told of itself could not be stored');
  hub.on('message', (name, message) => {
    if (message.type === 'clock-read') recordAgentClock(pool, { name, offsetMs: message.offsetMs, errorMs: message.errorMs }).catch(warn);
  });
  hub.on('disconnected', (name) => {
    if (!lifetime.signal.aborted) recordAgentSeen(pool, name).catch(warn);
  });

  return {
    runControl: coordinator,
    agents: hub,
    start: (httpServer) => {
      hub.attach(httpServer);
      coordinator.start();
    },
    [Symbol.asyncDispose]: async () => {
      await coordinator.close();
      lifetime.abort(new Error('The Controller was shut down'));
      hub.close();
    },
  };
}

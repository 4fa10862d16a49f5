import type { Server } from 'node:http';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Time } from '#core/clock/time.ts';
import type { ClientAddresses } from './people/client-address.ts';
import type { BadTokens } from './people/limit-attempts.ts';
import { verifyToken } from './people/tokens.ts';
import { RunCoordinator } from './coordinator/run-coordinator.ts';
import { ListeningLine } from './database/listening-line.ts';
import { Together } from './database/together.ts';
import { holdSign } from './agents/exchange/controllers.ts';
import { recordAgent, recordAgentClocks, recordAgentSeen, type ReadClock } from './agents/agents.ts';
import type { StoreWatch } from './captures/artefacts/bucket/store-watch.ts';
import type { DiskSpace } from './captures/artefacts/disk-space.ts';
import type { TraceArchive } from './captures/artefacts/trace-archive.ts';
import { openExchange } from './agents/exchange/open-exchange.ts';
import { AgentHub } from './agents/agent-hub.ts';
import { LineBoard } from './agents/line-board.ts';
import { acceptCaptures } from './ingest/accept-captures.ts';
import { acceptUploads, VisitIngest } from './ingest/accept-uploads.ts';
import { DerivationPool } from './ingest/derivation-pool.ts';
import type { ControllerLoad, PrometheusMetrics } from './operating/prometheus-metrics.ts';
import type { AgentPresence, RunControl } from './runs/run-control.ts';
import type { SiteReader } from './sites/site-reader.ts';
import { randomUUID } from 'node:crypto';
import { AppError } from '#core/app-error.ts';
import type { SiteCertificate, CertificateRequest } from '#core/protocol/site-certificate.ts';
import { AgentSilentError, askAgent } from './coordinator/ask-agent.ts';
import type { OrderLine } from './coordinator/order-line.ts';

/** Longer than the Agent itself waits. */
const answerWithinMs = 20_000;

/** What executes Runs: the hub of Agents, the ingest of their Visits, the coordinator. */
export interface RunServices extends AsyncDisposable {
  runControl: RunControl;
  agents: AgentPresence;
  /** What waits in the hub of Agents. */
  readLoad(): Pick<ControllerLoad, 'agents' | 'uploadsWaiting' | 'uploadsInWork'>;
  /** Lets the connected Agents send what they kept. */
  requestUploads(): void;
  /** Takes Agents on this HTTP server, and begins to execute Runs. */
  start(httpServer: Server): void;
}

/** Between two times that the Agents' clocks are stored: each Agent reads its clock before each Pass. */
const clocksRestMs = 100;

interface RunServicesOptions {
  pool: Pool;
  /** Of PostgreSQL itself, for the connection on which it wakes this Controller. */
  listenDatabaseUrl: string;
  traces: TraceArchive;
  disk: DiskSpace;
  siteReader: SiteReader;
  storeWatch: Pick<StoreWatch, 'problem'>;
  metrics: PrometheusMetrics;
  log: Logger;
  controllerVersion: string;
  /** What people know this Controller by, where others work on the same database. */
  controllerName: string;
  /** Of the machine that it runs on, as Agents there report it; null where that is not known. */
  machineId: string | null;
  /** Lets no two Runs of the database be under way at the same time. */
  oneRunAtATime: boolean;
  /** No proxy is trusted unless given. */
  clients?: ClientAddresses;
  /** Of lines alone unless given. */
  badTokens?: BadTokens;
  /** Of this process unless given. */
  time?: Time | undefined;
}

/** Disposing of it leaves the Runs under way, their hosts put back, to the next start. */
export function createRunServices({
  pool,
  listenDatabaseUrl,
  traces,
  disk,
  siteReader,
  storeWatch,
  metrics,
  log,
  controllerVersion,
  controllerName,
  machineId,
  oneRunAtATime,
  clients,
  badTokens,
  time,
}: RunServicesOptions): RunServices {
  const lifetime = new AbortController();
  const hub = new AgentHub({
    controllerVersion,
    verifyToken: async ({ token, name }) => {
      const found = await verifyToken(pool, token, 'agent');
      return found && (name === null || found.agentName === null || found.agentName === name) ? found.id : null;
    },
    recordAgent: (agent) => recordAgent(pool, { ...agent, controllerMachineId: machineId }),
    clients,
    badTokens,
    time,
    log,
  });
  const derivations = new DerivationPool();
  const ingest = new VisitIngest(pool, { derivations, log });
  const uploads = acceptUploads(hub, { ingest, metrics, log, signal: lifetime.signal });
  acceptCaptures(hub, { pool, traces, uploads, log, signal: lifetime.signal });
  const board = new LineBoard({
    pool,
    hub,
    name: controllerName,
    oneRunAtATime,
    hasSign: () => listening.hasSign,
    sleep: time?.sleep,
    log,
  });
  const listening: ListeningLine = new ListeningLine({
    databaseUrl: listenDatabaseUrl,
    id: board.id,
    holdSign: (connection) => holdSign(connection, board.id),
    sleep: time?.sleep,
    log,
  });
  const exchange = openExchange({
    pool,
    listening,
    hub,
    board,
    uploads,
    sleep: time?.sleep,
    log,
    signal: lifetime.signal,
  });
  const { reach } = exchange;
  const coordinator = new RunCoordinator({
    pool,
    hub,
    disk,
    siteReader,
    storeWatch,
    board,
    exchange,
    uploads,
    oneRunAtATime,
    metrics,
    time,
    log,
  });

  const warn = (error: unknown) => {
    if (!lifetime.signal.aborted) log.warn({ err: error }, 'Cannot store the facts that an Agent reported');
  };
  const clocks = new Together(
    async (read: readonly ReadClock[]) => {
      await recordAgentClocks(pool, read);
      return read;
    },
    { restMs: clocksRestMs },
  );
  hub.on('message', (name, message) => {
    if (message.type === 'clock-read')
      clocks.add({ name, offsetMs: message.offsetMs, errorMs: message.errorMs }).catch(warn);
  });
  hub.on('disconnected', (name) => {
    if (!lifetime.signal.aborted) recordAgentSeen(pool, name).catch(warn);
  });

  return {
    runControl: coordinator,
    agents: {
      isConnected: (name) => hub.isConnected(name),
      listElsewhere: () => board.listElsewhere(),
      readCertificate: async (request) => {
        const leave = reach.want([request.host]);
        try {
          await reach.look([request.host]);
          return await readCertificate(reach, request);
        } finally {
          leave();
        }
      },
      dropToken: (tokenId) => {
        hub.dropToken(tokenId);
        exchange.announceRevoked(tokenId);
      },
    },
    readLoad: () => hub.load,
    requestUploads: () => {
      for (const name of hub.listConnected()) hub.send(name, { type: 'upload-visits' });
    },
    start: (httpServer) => {
      hub.attach(httpServer);
      listening.start();
      exchange.start();
      board.start();
      coordinator.start();
    },
    [Symbol.asyncDispose]: async () => {
      await coordinator.close();
      await exchange[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
      lifetime.abort(new Error('The Controller was shut down'));
      await listening[Symbol.asyncDispose]();
      hub.close();
      await derivations[Symbol.asyncDispose]();
    },
  };
}

/** Has the Agent of a host read the certificate of an https URL. Throws `agent-missing` without an answer, and `invalid-input` with the reason why there is none to read. */
async function readCertificate(hub: OrderLine, { host, url }: CertificateRequest): Promise<SiteCertificate> {
  const orderId = randomUUID();
  try {
    const { certificate, problem } = await askAgent(hub, {
      agent: host,
      message: { type: 'read-certificate', orderId, url },
      timeoutMs: answerWithinMs,
      readAnswer: (message) => (message.type === 'certificate-read' && message.orderId === orderId ? message : null),
    });
    if (certificate === null) throw new AppError('invalid-input', `${host} could not read the certificate: ${problem}`);
    return certificate;
  } catch (error) {
    if (error instanceof AgentSilentError) throw new AppError('agent-missing', error.message);
    throw error;
  }
}

import { createServer, type Server } from 'node:http';
import type { BlockList } from 'node:net';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { actAfter, realTime, type Time } from '#core/clock/time.ts';
import packageJson from '../package.json' with { type: 'json' };
import { HostJoins, type HostJoining } from './agents/host-joins.ts';
import { retryTransient } from './database/is-transient.ts';
import { createApp, type ReceivingLimits } from './http/create-app.ts';
import type { BucketAddress } from './captures/artefacts/artefacts-url.ts';
import { DiskSpace } from './captures/artefacts/disk-space.ts';
import { openArchives } from './captures/artefacts/open-archives.ts';
import { ClientAddresses } from './people/client-address.ts';
import { BadTokens } from './people/limit-attempts.ts';
import { cookieNameOf } from './people/entrance.ts';
import { connectDatabase, type DatabasePool } from './database/connect.ts';
import { migrate } from './database/migrate.ts';
import { listen } from './http/listen.ts';
import { watchSchema } from './operating/watch-schema.ts';
import { PrometheusMetrics } from './operating/prometheus-metrics.ts';
import { digestRuns } from './reports/digest-runs.ts';
import { DerivationPool } from './ingest/derivation-pool.ts';
import { sendCrossings } from './runs/send-crossings.ts';
import { CausesFilling } from './reports/causes-filling.ts';
import { SiteReader } from './sites/site-reader.ts';
import { SnapshotReader } from './visits/snapshot-reader.ts';
import { ReportMaker } from './reports/report-maker.ts';
import { clearRuns } from './operating/clear-runs.ts';
import type { TestbedSwitch } from './http/services.ts';
import type { AgentPresence } from './runs/run-control.ts';
import { createRunServices } from './run-services.ts';

const databaseStartLimitMs = 15_000;
const headersLimitMs = 60_000;
/** How long a shutdown waits for a database that does not answer: longer than the clean-up of a Round may take. */
const shutdownLimitMs = 25_000;

export interface ControllerOptions {
  databaseUrl: string;
  /** Of PostgreSQL itself, where `databaseUrl` is that of a pooler in transaction mode. */
  listenDatabaseUrl?: string | undefined;
  /** Of its work with the database; 20 unless given. */
  mostConnections?: number | undefined;
  host: string;
  /** 0 chooses a free one. */
  port: number;
  /** Where people and Agents reach it, where that is not where it listens, or a proxy stands before it; with https, cookies go over https only. */
  publicUrl?: string | undefined;
  /** Proxies before it whose `X-Forwarded-For` is believed; none unless given. */
  trustedProxies?: BlockList | undefined;
  /** The built web UI; null serves the API alone. */
  webUiFolder: string | null;
  /** Where the traces and pictures of Runs are kept, or are on their way to a bucket. */
  artefactsFolder: string;
  /** Where they are kept instead. */
  bucket?: BucketAddress | undefined;
  /** Where the database keeps its data, where it is on this machine. */
  databaseFolder?: string | undefined;
  /** The oldest traces are deleted when all together are larger; 5 GB unless given. */
  maximumTraceBytes?: number | undefined;
  /** Five minutes for a whole request, two without a byte of an upload, unless set. */
  receiving?: ReceivingLimits;
  /** By which the OS user who runs the Controller is known to it; nobody is, unless set. */
  ownerToken?: string;
  /** Of the machine that it runs on, as Agents there report it; not known unless set. */
  machineId?: string | null;
  /** Lets no two Runs of the database be under way at the same time. */
  oneRunAtATime?: boolean;
  /** Where it posts that a Run crossed the threshold of its Evaluation; nowhere unless set. */
  webhookUrl?: string | null;
  /** Starts and ends the testbed of its machine; none unless set. */
  testbed?: TestbedSwitch | null;
  /** By which the page joins hosts over SSH; it does not unless set. */
  hostJoining?: HostJoining | null;
  /** By which it waits for Agents, other Controllers and the database. Of this process unless given. */
  time?: Time;
  log: Logger;
  /** Gives up the start. */
  signal: AbortSignal;
}

export interface Controller extends AsyncDisposable {
  /** Where people and Agents reach it. Without a slash at the end. */
  url: string;
  /** Where programs on this machine reach it. */
  localUrl: string;
  /** Of the database. */
  instanceId: string;
  pool: Pool;
  agents: Pick<AgentPresence, 'isConnected'>;
  /** Aborts, with the reason, when another version of HTTP-AE has updated the database: close this one then, so that its Runs continue there. */
  outdated: AbortSignal;
  /** Leaves the Runs that are under way to the next start. */
  close(): Promise<void>;
}

/** Throws `database-unreachable`, `migration-failed`, `port-taken` or `invalid-input`. */
export async function startController(options: ControllerOptions): Promise<Controller> {
  const { host, port, log } = options;
  const pool = await openDatabase(options);
  // How long a body may take is limited by the app, which knows uploads.
  const server = createServer({ requestTimeout: 0, headersTimeout: headersLimitMs });
  try {
    const address = await listen(server, { host, port });
    const url = options.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? address;
    const instanceId = await readInstanceId(pool);
    const { agents, outdated, close } = serve(server, {
      ...options,
      pool,
      instanceId,
      publicUrl: options.publicUrl === undefined ? null : url,
      isSecure: url.startsWith('https:'),
      url,
      controllerName: `${hostname()} (${address})`,
    });
    log.debug({ url }, 'The Controller is ready');
    return { url, localUrl: address, instanceId, pool, agents, outdated, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    server.close();
    await pool.end();
    throw error;
  }
}

/** Waits a while for a database that is still starting. */
async function openDatabase({
  databaseUrl,
  listenDatabaseUrl = databaseUrl,
  mostConnections,
  log,
  signal,
}: ControllerOptions): Promise<DatabasePool> {
  const retry = { signal, log, giveUp: AbortSignal.timeout(databaseStartLimitMs) };
  const open = (url: string) =>
    retryTransient(() => connectDatabase({ databaseUrl: url, mostConnections, log }), retry);
  const pool = await open(databaseUrl);
  try {
    if (listenDatabaseUrl === databaseUrl) {
      await retryTransient(() => migrate(pool, log), retry);
      return pool;
    }
    // A migration holds a lock of its session, which a pooler in transaction mode does not keep.
    const direct = await open(listenDatabaseUrl);
    try {
      await retryTransient(() => migrate(direct, log), retry);
    } finally {
      await direct.end();
    }
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Puts API, hub and coordinator to work on the server; `close` ends them. */
function serve(
  server: Server,
  options: Omit<ControllerOptions, 'publicUrl'> & {
    pool: DatabasePool;
    instanceId: string;
    publicUrl: string | null;
    /** Where people reach it. */
    url: string;
    isSecure: boolean;
    controllerName: string;
  },
): Pick<Controller, 'agents' | 'outdated' | 'close'> {
  const {
    pool,
    log,
    isSecure,
    host,
    publicUrl,
    ownerToken = null,
    controllerName,
    webUiFolder,
    artefactsFolder,
    databaseUrl,
    listenDatabaseUrl = databaseUrl,
    machineId = null,
    oneRunAtATime = false,
    webhookUrl = null,
    testbed = null,
    hostJoining = null,
    time = realTime,
  } = options;
  const siteReader = new SiteReader();
  const archives = openArchives({ ...options, siteReader });
  const { traces, pictures, sites, storeWatch } = archives;
  const clearing = clearRuns({ pool, traces, pictures, log });
  const snapshots = new SnapshotReader();
  const reports = new ReportMaker({ pool, databaseUrl });
  const derivations = new DerivationPool();
  const causes = new CausesFilling({ pool, derivations, log });
  const controllerVersion = packageJson.version;
  const disk = new DiskSpace([artefactsFolder, options.databaseFolder].filter((folder) => folder !== undefined));
  const metrics = new PrometheusMetrics(controllerVersion);
  const clients = new ClientAddresses(options.trustedProxies);
  const badTokens = new BadTokens(time);
  const runServices = createRunServices({
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
  });
  const { runControl, agents } = runServices;
  storeWatch.on('returned', () => runServices.requestUploads());
  const hostJoins = new HostJoins({ pool, agents, log, joining: hostJoining });
  server.on(
    'request',
    createApp(
      {
        pool,
        disk,
        storeWatch,
        traces,
        pictures,
        sites,
        siteReader,
        snapshots,
        log,
        runControl,
        agents,
        testbed,
        hostJoins,
        reports,
        causes,
        clearing,
        metrics,
        readLoad: () => ({
          ...runServices.readLoad(),
          reports: reports.length,
          isArtefactStoreUp: storeWatch.isUp,
          connections: { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
        }),
        controllerVersion,
        isSecure,
        host,
        publicUrl,
        cookieName: cookieNameOf(options.instanceId),
        ownerToken,
      },
      { webUiFolder, receiving: options.receiving, clients, badTokens },
    ),
  );
  runServices.start(server);
  const digesting = digestRuns({ pool, reports, machineId, log });
  const sending = webhookUrl === null ? null : sendCrossings({ pool, webhookUrl, url: options.url, log });
  const schemaWatch = watchSchema(pool, log);

  let closing: Promise<void> | null = null;
  return { agents, outdated: schemaWatch.outdated, close: () => (closing ??= close()) };

  async function close(): Promise<void> {
    const closed = new AbortController();
    const giveUp = () => {
      log.warn('The shutdown takes long: it waits for the database no more');
      pool.breakConnections();
    };
    actAfter(shutdownLimitMs, giveUp, { sleep: time.sleep, signal: closed.signal });
    await hostJoins[Symbol.asyncDispose](); // while the API still revokes their tokens
    await runServices[Symbol.asyncDispose](); // while the API still reports the progress
    const served = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await served;
    await schemaWatch[Symbol.asyncDispose]();
    await clearing[Symbol.asyncDispose]();
    await archives[Symbol.asyncDispose]();
    await sending?.[Symbol.asyncDispose]();
    await siteReader[Symbol.asyncDispose]();
    await snapshots[Symbol.asyncDispose]();
    const digested = digesting[Symbol.asyncDispose]();
    await reports[Symbol.asyncDispose](); // the report under way is given up
    await digested;
    const filled = causes[Symbol.asyncDispose]();
    await derivations[Symbol.asyncDispose]();
    await filled;
    await pool.end();
    closed.abort();
  }
}

/** The id of the installation that the database belongs to: the same for all Controllers that share it, for good. */
async function readInstanceId(db: Pool): Promise<string> {
  const { rows } = await db.query<{ id: string }>('select id from instance');
  return rows[0]!.id;
}

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** How much waits in this Controller. */
export interface ControllerLoad {
  agents: number;
  /** Agents that wait for their turn to upload Visits. */
  uploadsWaiting: number;
  /** Messages of Visits that come or are being stored. */
  uploadsInWork: number;
  /** Reports that are ordered and not ready. */
  reports: number;
  /** Null where artefacts are in a folder. */
  isArtefactStoreUp: boolean | null;
  connections: { total: number; idle: number; waiting: number };
}

/** What the database knows: the same at every Controller. */
export interface StoredFigures {
  /** Of every state. */
  runs: ReadonlyMap<string, number>;
  databaseBytes: number;
}

const secondsToCommit = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const secondsToAnswer = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * What a Controller counts for Prometheus, since its start. Every name begins with `http_ae_`; those of the process and of Node.js are as prom-client has them, and are
 * watched only once somebody has read the metrics.
 */
export class PrometheusMetrics {
  readonly #registry = new Registry();
  readonly #rounds = this.#counter('rounds_total', 'Rounds that ended here, by outcome', ['outcome']);
  readonly #visits = this.#counter('visits_stored_total', 'Visits that were acknowledged as stored', []);
  readonly #refused = this.#counter('visits_refused_total', 'Visits that were rejected, by reason', ['code']);
  readonly #uploads = new Histogram({
    name: 'http_ae_upload_duration_seconds',
    help: 'Time from an upload of Visits to its commit',
    buckets: secondsToCommit,
    registers: [this.#registry],
  });
  readonly #requests = new Histogram({
    name: 'http_ae_http_request_duration_seconds',
    help: 'Time of requests to the API other than event streams, by method and status',
    labelNames: ['method', 'status'],
    buckets: secondsToAnswer,
    registers: [this.#registry],
  });
  readonly #info = this.#gauge('build_info', '1, with the version', ['version']);
  readonly #agents = this.#gauge('agents_connected', 'Agents that are connected to this Controller');
  readonly #waiting = this.#gauge('queue_length', 'What waits in this Controller, by queue', ['queue']);
  readonly #connections = this.#gauge('database_connections', 'Connections of the pool, by state', ['state']);
  readonly #runs = this.#gauge('runs', 'Runs in the database, by state', ['state']);
  readonly #databaseBytes = this.#gauge('database_bytes', 'Size of the database');
  /** Null as long as there is no bucket. */
  #isStoreUp: Gauge | null = null;
  #isRead = false;

  constructor(version: string) {
    this.#info.set({ version }, 1);
    for (const outcome of ['completed', 'broken']) this.#rounds.inc({ outcome }, 0);
  }

  countRound(outcome: 'completed' | 'broken'): void {
    this.#rounds.inc({ outcome });
  }

  countUpload({
    storedVisits,
    refusedVisits,
    ms,
  }: {
    storedVisits: number;
    refusedVisits: ReadonlyMap<string, number>;
    ms: number;
  }): void {
    this.#visits.inc(storedVisits);
    for (const [code, count] of refusedVisits) this.#refused.inc({ code }, count);
    this.#uploads.observe(ms / 1000);
  }

  countRequest({ method, status, ms }: { method: string; status: number; ms: number }): void {
    this.#requests.observe({ method, status: String(status) }, ms / 1000);
  }

  /** In Prometheus' text format. */
  read(load: ControllerLoad, stored: StoredFigures): Promise<string> {
    if (!this.#isRead) collectDefaultMetrics({ register: this.#registry });
    this.#isRead = true;
    this.#agents.set(load.agents);
    this.#waiting.set({ queue: 'uploads-waiting' }, load.uploadsWaiting);
    this.#waiting.set({ queue: 'uploads-in-work' }, load.uploadsInWork);
    this.#waiting.set({ queue: 'reports' }, load.reports);
    this.#waiting.set({ queue: 'database-connections' }, load.connections.waiting);
    this.#connections.set({ state: 'idle' }, load.connections.idle);
    this.#connections.set({ state: 'busy' }, load.connections.total - load.connections.idle);
    if (load.isArtefactStoreUp !== null) {
      this.#isStoreUp ??= this.#gauge('artefact_store_up', '1 while the bucket of traces and pictures works, else 0');
      this.#isStoreUp.set(load.isArtefactStoreUp ? 1 : 0);
    }
    for (const [state, count] of stored.runs) this.#runs.set({ state }, count);
    this.#databaseBytes.set(stored.databaseBytes);
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: `http_ae_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name: `http_ae_${name}`, help, labelNames, registers: [this.#registry] });
  }
}

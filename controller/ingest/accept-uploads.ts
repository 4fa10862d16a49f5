import { EventEmitter } from 'node:events';
import type { CompressedVisit, SentVisit } from '#core/protocol/sent-visit.ts';
import { explainVisitRefusal, type VisitRefusal } from '#core/protocol/visit-refusal.ts';
import type { AgentHub } from '../agents/agent-hub.ts';
import { retryTransient } from '../database/is-transient.ts';
import type { PrometheusMetrics } from '../operating/prometheus-metrics.ts';
import type { Logger } from 'pino';
import type { Queryable } from '../database/queryable.ts';
import { noteRefusedVisits } from '../visits/refused-visits.ts';
import { describeSnapshot } from '../visits/snapshot-columns.ts';
import { toVisitRow, type VisitRow } from '../visits/store-visits.ts';
import type { DerivationPool } from './derivation-pool.ts';
import { OrderedVisits } from './ordered-visits.ts';
import { VisitWriters } from './visit-writers.ts';

/** What Agents uploaded, after each commit. */
export interface UploadEvents {
  stored: [arrival: Arrival];
}

export interface Arrival {
  agent: string;
  /** Of each Visit that was acknowledged, its Pass. */
  passIds: readonly string[];
  /** Some Visits are never to be stored. */
  isRefused: boolean;
  /** Another Controller stored them. */
  isElsewhere?: boolean;
}

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
        const problem =
          'Cannot store uploaded Visits; the Agent is disconnected and sends them again when it reconnects';
        hub.breakLineLater(agent, { error, problem });
      })
      .finally(end);
  });
  return uploads;
}

interface IngestResult {
  storedIds: string[];
  refusals: ReadonlyMap<VisitRefusal, { visitIds: string[] }>;
}

interface OrderedVisit extends CompressedVisit {
  /** As its list has it. */
  page: string;
}

const nothing = describeSnapshot(null, []);

/** Judges the Visits that Agents upload, has their Readings derived, and stores them. A result is given only after the commit. */
export class VisitIngest {
  readonly #db: Queryable;
  readonly #log: Logger;
  readonly #derivations: DerivationPool;
  readonly #ordered: OrderedVisits;
  readonly #writers: VisitWriters;

  constructor(db: Queryable, { derivations, log }: { derivations: DerivationPool; log: Logger }) {
    this.#db = db;
    this.#log = log;
    this.#derivations = derivations;
    this.#ordered = new OrderedVisits(db);
    this.#writers = new VisitWriters(db, log);
  }

  /** Rejects when the database is away: nothing is acknowledged then, and the Agent sends the same Visits again. */
  async store(agent: string, visits: readonly CompressedVisit[]): Promise<IngestResult> {
    const { doubled, release } = this.#ordered.hold(
      agent,
      visits.map(({ visit }) => visit),
    );
    try {
      return await this.#storeHeld(agent, { visits, doubled });
    } finally {
      release();
    }
  }

  async #storeHeld(
    agent: string,
    { visits, doubled }: { visits: readonly CompressedVisit[]; doubled: ReadonlySet<SentVisit> },
  ): Promise<IngestResult> {
    const refused = new Map<string, { visit: SentVisit; code: VisitRefusal }>();
    const refuse = (visit: SentVisit, code: VisitRefusal) => refused.set(visit.id, { visit, code });
    const judgements = await this.#ordered.judge(
      agent,
      visits.map(({ visit }) => visit),
    );
    const ordered: OrderedVisit[] = [];
    for (const { visit, snapshot } of visits) {
      const judgement = judgements.get(visit)!;
      if ('refusal' in judgement) refuse(visit, judgement.refusal);
      else if (doubled.has(visit)) refuse(visit, 'made-already');
      else ordered.push({ visit, snapshot, page: judgement.page });
    }
    const rows = await this.#derive(agent, { visits: ordered, refuse });
    const unstorable = await this.#writers.store(agent, rows);
    for (const { visit } of ordered) if (unstorable.has(visit.id)) refuse(visit, 'unstorable');
    // A Pass of another Agent has nothing to do with it.
    await noteRefusedVisits(
      this.#db,
      [...refused.values()].flatMap(({ visit: { id, passId }, code }) =>
        code === 'not-ordered' ? [] : [{ id, passId, code }],
      ),
    );

    const refusals = Map.groupBy(refused.values(), ({ code }) => code);
    return {
      storedIds: ordered.map(({ visit }) => visit.id).filter((id) => !refused.has(id)),
      refusals: new Map(
        [...refusals].map(([code, entries]) => [code, { visitIds: entries.map(({ visit: { id } }) => id) }]),
      ),
    };
  }

  /** Without those whose Readings cannot be derived (a bug, or a forged Snapshot): they must not hold up the others. */
  async #derive(
    agent: string,
    { visits, refuse }: { visits: readonly OrderedVisit[]; refuse: (visit: SentVisit, code: VisitRefusal) => void },
  ): Promise<VisitRow[]> {
    const derivations = await this.#derivations.derive(
      visits.flatMap(({ visit, snapshot }) => (snapshot ? [{ snapshot, filmstrip: visit.filmstrip ?? null }] : [])),
      agent,
    );
    const rows: VisitRow[] = [];
    let next = 0;
    for (const { visit, snapshot, page } of visits) {
      const derivation = snapshot ? derivations[next++]! : ({ kind: 'derived', described: nothing } as const);
      if (derivation.kind === 'derived') {
        rows.push(toVisitRow({ visit, page, described: derivation.described, snapshot }));
        continue;
      }
      const { code, problem } = derivation;
      this.#log.error({ visit: visit.id, code, problem }, 'Cannot read the Snapshot of a Visit; it is rejected');
      refuse(visit, code);
    }
    return rows;
  }
}

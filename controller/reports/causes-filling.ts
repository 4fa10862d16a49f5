import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { gzipSync } from 'node:zlib';
import { causesVersion } from '#core/causes/causes.ts';
import type { DerivationPool } from '../ingest/derivation-pool.ts';

const visitsAtOnce = 50;

/**
 * Splits the latencies of Visits that an earlier version of HTTP-AE stored, from their Snapshots: of each Run whose Comparison is asked for, once, and one Run after the other.
 * The Comparison that is asked for next has them.
 */
export class CausesFilling implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #derivations: DerivationPool;
  readonly #log: Logger;
  readonly #filled = new Set<string>();
  readonly #lifetime = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor({ pool, derivations, log }: { pool: Pool; derivations: DerivationPool; log: Logger }) {
    this.#pool = pool;
    this.#derivations = derivations;
    this.#log = log;
  }

  want(runId: string): void {
    if (this.#filled.has(runId)) return;
    this.#filled.add(runId);
    this.#last = this.#last.then(() => this.#fill(runId));
  }

  /** Waits for all that was wanted. */
  async settle(): Promise<void> {
    await this.#last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lifetime.abort();
    await this.#last;
  }

  async #fill(runId: string): Promise<void> {
    try {
      let filled = 0;
      for (let count = -1; count !== 0 && !this.#lifetime.signal.aborted; filled += count)
        count = await this.#fillSome(runId);
      // So the Comparison that is kept of an ended Run is made again.
      if (filled > 0)
        await this.#pool.query('update run set revision = revision + 1 where id = $1 and ended_at is not null', [
          runId,
        ]);
    } catch (error) {
      this.#filled.delete(runId);
      if (!this.#lifetime.signal.aborted)
        this.#log.warn({ err: error, run: runId }, 'Cannot split the latencies of a Run into causes');
    }
  }

  /** How many. One whose Snapshot cannot be read is not looked at again. */
  async #fillSome(runId: string): Promise<number> {
    const { rows } = await this.#pool.query<{ id: string; body: object | null; compressed: Buffer | null }>(
      `select visit.id, snapshot.body, snapshot.compressed
       from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id join snapshot on snapshot.visit_id = visit.id
       where round.run_id = $1 and status = 'ok' and causes_version is distinct from $2 limit $3`,
      [runId, causesVersion, visitsAtOnce],
    );
    const derived = await this.#derivations.derive(
      rows.map(({ body, compressed }) => ({ snapshot: compressed ?? gzipSync(JSON.stringify(body)), filmstrip: null })),
    );
    await this.#pool.query(
      `update visit set causes = filled.causes::bytea, critical_path = filled.critical_path::float8[], causes_version = $1
       from unnest($2::uuid[], $3::text[], $4::text[]) as filled (id, causes, critical_path) where visit.id = filled.id`,
      [
        causesVersion,
        rows.map(({ id }) => id),
        ...(['causes', 'critical_path'] as const).map((column) =>
          derived.map((each) => (each.kind === 'derived' ? each.described[column] : null)),
        ),
      ],
    );
    return rows.length;
  }
}

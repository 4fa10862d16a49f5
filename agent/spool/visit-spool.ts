import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { VisitSchema, type Visit } from '#core/protocol/visit.ts';

const batchBytes = 1024 * 1024;
const batchVisits = 50;
const maximumRefusal = 4096;

/** Visits until the Controller has acknowledged them. A Visit that the Controller refused is set aside, not deleted. */
export class VisitSpool {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(visit: Visit): void {
    this.#database
      .prepare('insert into visit (id, pass_id, body) values (?, ?, ?)')
      .run(visit.id, visit.passId, JSON.stringify(visit));
  }

  /** The oldest Visits that wait, at most about 1 MiB of them. One that cannot be read is set aside: no other waits behind it. */
  nextBatch(): Visit[] {
    const rows = this.#database
      .prepare('select id, body from visit where refusal is null order by sequence limit ?')
      .all(batchVisits);
    const batch: Visit[] = [];
    let bytes = 0;
    for (const { id, body } of rows as { id: string; body: string }[]) {
      bytes += body.length;
      if (batch.length > 0 && bytes > batchBytes) break;
      const { data: visit, error } = VisitSchema.safeParse(JSON.parse(body));
      if (visit) batch.push(visit);
      else this.setAside([id], `This Agent cannot read it: ${z.prettifyError(error)}`.slice(0, maximumRefusal));
    }
    return batch.length === 0 && rows.length > 0 ? this.nextBatch() : batch;
  }

  forget(visitIds: readonly string[]): void {
    const statement = this.#database.prepare('delete from visit where id = ?');
    for (const id of visitIds) statement.run(id);
  }

  setAside(visitIds: readonly string[], reason: string): void {
    const statement = this.#database.prepare('update visit set refusal = ? where id = ?');
    for (const id of visitIds) statement.run(reason, id);
  }

  countWaiting(): number {
    return Number(this.#database.prepare('select count(*) as count from visit where refusal is null').get()?.['count']);
  }
}

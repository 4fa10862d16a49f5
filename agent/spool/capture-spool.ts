import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { CaptureOutcomeSchema } from '#core/protocol/capture-outcome.ts';
import { keepIn } from './open-spool-database.ts';

const [CapturedSchema, AbsentSchema] = CaptureOutcomeSchema.options;
const maximumRefusal = 4096;

/** When a Visit was under way, on the clock of this host, which is that of the packets too. */
export const VisitTimeSchema = z.object({ visitId: z.uuid(), startedEpochMs: z.number(), endedEpochMs: z.number() });
export type VisitTime = z.infer<typeof VisitTimeSchema>;

/**
 * What is known of a Capture when it has ended. What it takes time to find out from the trace waits until nothing is measured. `keepsConnections`: from one Visit
 * to the next, as a warm Pass does.
 */
export const SpooledCaptureSchema = z.discriminatedUnion('kind', [
  CapturedSchema.omit({ trace: true, visits: true, firstPacketEpochMs: true }).extend({
    keepsTrace: z.boolean(),
    keepsConnections: z.boolean().default(false),
    visitTimes: z.array(VisitTimeSchema),
    /** Of the User Agent. */
    localAddresses: z.array(z.string()).default([]),
    firstPort: z.int().nullable().default(null),
  }),
  AbsentSchema,
]);
export type SpooledCapture = z.infer<typeof SpooledCaptureSchema>;

/**
 * Captures, with their traces in a folder, until the Controller has acknowledged them. One that the Controller refused is set aside, not deleted. They go by
 * the id of their Pass, or of the Capture Point in a Round, for which the database of Agents that are older has no other name than `pass_id`.
 */
export class CaptureSpool {
  readonly #database: DatabaseSync;
  readonly #folder: string;

  /** Traces of Captures that never ended, because the Agent was killed in them, are removed from the folder. */
  constructor(database: DatabaseSync, folder: string) {
    this.#database = database;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const known = new Set(
      database
        .prepare('select pass_id from capture')
        .all()
        .map((row) => row['pass_id']),
    );
    for (const file of readdirSync(folder)) if (!known.has(file.split('.')[0])) rmSync(path.join(folder, file));
  }

  /** Where the trace is written. */
  traceFile(captureId: string): string {
    return path.join(this.#folder, `${captureId}.pcap`);
  }

  add(captureId: string, capture: SpooledCapture): void {
    keepIn(this.#database, 'insert into capture (pass_id, body) values (?, ?)', [captureId, JSON.stringify(capture)]);
  }

  /** Null when none waits. One that cannot be read, as of another version, is set aside: no other waits behind it. */
  oldest(): { captureId: string; capture: SpooledCapture } | null {
    const row = this.#database
      .prepare('select pass_id, body from capture where refusal is null order by sequence limit 1')
      .get();
    if (!row) return null;
    const captureId = String(row['pass_id']);
    const { data: capture, error } = SpooledCaptureSchema.safeParse(JSON.parse(String(row['body'])));
    if (capture) return { captureId, capture };
    this.setAside(captureId, `This Agent cannot read it: ${z.prettifyError(error)}`.slice(0, maximumRefusal));
    return this.oldest();
  }

  forget(captureId: string): void {
    this.#database.prepare('delete from capture where pass_id = ?').run(captureId);
    this.removeTrace(captureId);
  }

  setAside(captureId: string, reason: string): void {
    this.#database.prepare('update capture set refusal = ? where pass_id = ?').run(reason, captureId);
  }

  /** Of a Capture that never ended, or that the Controller has. */
  removeTrace(captureId: string): void {
    for (const file of [this.traceFile(captureId), `${this.traceFile(captureId)}.gz`]) rmSync(file, { force: true });
  }
}

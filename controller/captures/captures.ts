import { CaptureOutcomeSchema, type CaptureOutcome, type CaptureReport } from '#core/protocol/capture-outcome.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import type { Queryable } from '../database/queryable.ts';
import { formatStorableJson } from '../database/storable-json.ts';
import { unknownStore } from './unclaimed-traces.ts';
import { explainNoCapture } from '#core/evaluation/capture/explain-no-capture.ts';

/** Stores a Capture of a Pass or of a Capture Point that exists; one that is stored already is left as it is. `traceStore`: the folder that holds its trace, if it has one. */
export async function storeCapture(
  db: Queryable,
  { captureId, outcome }: CaptureReport,
  traceStore: string = unknownStore,
): Promise<void> {
  const { visits, ...summary } = outcome.kind === 'captured' ? outcome : { ...outcome, visits: {} };
  const trace = outcome.kind === 'captured' && outcome.trace.kind === 'kept' ? outcome.trace : null;
  await db.query(
    `insert into capture (pass_id, point_id, outcome, visits, trace_sha256, trace_bytes, trace_store)
     values ((select id from pass where id = $1), (select id from capture_point where id = $1), $2, $3, $4, $5, $6) on conflict do nothing`,
    [
      captureId,
      formatStorableJson(summary),
      formatStorableJson(visits),
      trace?.sha256 ?? null,
      trace?.bytes ?? null,
      traceStore,
    ],
  );
}

/** Where a Capture belongs, and the Capture as stored. */
interface Stored {
  runId: string;
  block: number;
  scenario: string;
  /** Its Round was given up, so that it may not have been made. */
  isBroken: boolean;
  /** Null when none is stored. */
  outcome: CaptureOutcome | null;
  traceRemovedAt: Date | null;
}

export interface StoredPassCapture extends Stored {
  passId: string;
  userAgent: string;
  evaluation: Evaluation;
}

export interface StoredPointCapture extends Stored {
  captureId: string;
  capturePoint: string;
  host: string;
  interface: string;
  filter: string;
}

type StoredRow = Omit<Stored, 'outcome'> & { outcome: object | null; visits: unknown };

const storedColumns = `run_id as "runId", block, scenario, round.state = 'broken' as "isBroken", outcome, visits, trace_removed_at as "traceRemovedAt"`;

/** Null when there is no such Pass. */
export async function findPassCapture(db: Queryable, passId: string): Promise<StoredPassCapture | null> {
  const { rows } = await db.query<StoredRow & { userAgent: string; document: unknown }>(
    `select user_agent as "userAgent", document, ${storedColumns}
     from pass join round on round.id = round_id join run on run.id = run_id and run.deleted_at is null left join capture on capture.pass_id = pass.id
     where pass.id = $1`,
    [passId],
  );
  if (!rows[0]) return null;
  const { document, ...row } = rows[0];
  return { passId, evaluation: EvaluationSchema.parse(document), ...toStored(row) };
}

/** Null when there is no such Capture Point in any Round. */
export async function findPointCapture(db: Queryable, captureId: string): Promise<StoredPointCapture | null> {
  const { rows } = await db.query<StoredRow & Omit<StoredPointCapture, keyof Stored | 'captureId'>>(
    `select capture_point.name as "capturePoint", agent as host, interface, filter, ${storedColumns}
     from capture_point join round on round.id = round_id join run on run.id = run_id and run.deleted_at is null left join capture on capture.point_id = capture_point.id
     where capture_point.id = $1`,
    [captureId],
  );
  return rows[0] ? { captureId, ...toStored(rows[0]) } : null;
}

function toStored<Row extends StoredRow>({ visits, ...row }: Row) {
  return { ...row, outcome: row.outcome && CaptureOutcomeSchema.parse({ ...row.outcome, visits }) };
}

/** Whether an Agent was ordered to make this Capture. */
export async function isCaptureOf(db: Queryable, agent: string, captureId: string): Promise<boolean> {
  const { rows } = await db.query<{ is_own: boolean }>(
    `select exists (select from pass where id = $1 and agent = $2) or exists (select from capture_point where id = $1 and agent = $2) as is_own`,
    [captureId, agent],
  );
  return rows[0]!.is_own;
}

/** Which of these Captures are stored. */
export async function findStoredCaptures(db: Queryable, captureIds: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    'select coalesce(pass_id, point_id) as id from capture where pass_id = any($1) or point_id = any($1)',
    [captureIds],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Gives up the oldest traces of a folder until the rest has at most `maximumBytes`; the statistics stay. They are noted as unclaimed until they are removed. False when all fit.
 */
export async function giveUpTraces(
  db: Queryable,
  { store, maximumBytes }: { store: string; maximumBytes: number },
): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>(
    `with kept as (
       select id, trace_sha256, sum(trace_bytes) over (order by stored_at desc, id desc) as newer_bytes
       from capture where trace_sha256 is not null and trace_removed_at is null and trace_store in ($2, '${unknownStore}')),
     given_up as (
       update capture set trace_removed_at = now() from kept where capture.id = kept.id and newer_bytes > $1 returning capture.trace_sha256),
     noted as (
       insert into unclaimed_trace (sha256, store) select distinct trace_sha256, $2::uuid from given_up on conflict do nothing)
     select exists (select from given_up) as any`,
    [maximumBytes, store],
  );
  return rows[0]!.any;
}

/** Why no Capture of a Pass is stored. */
export function explainNoCaptureOfPass({
  evaluation,
  userAgent,
  isBroken,
}: {
  evaluation: Evaluation;
  userAgent: string;
  isBroken: boolean;
}): string {
  const user = evaluation.userAgents.find(({ name }) => name === userAgent);
  const known = user ? explainNoCapture(evaluation, user) : null;
  return known ?? explainNotStored(isBroken);
}

/** Why a Capture that was ordered is not stored. */
export function explainNotStored(isBroken: boolean): string {
  return isBroken ? 'Its Round was broken, and its Agent has not uploaded it' : 'Its Agent has not uploaded it yet';
}

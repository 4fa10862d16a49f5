import { CaptureOutcomeSchema, type CaptureOutcome, type PassCapture } from '#core/protocol/capture.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import type { Queryable } from './queryable.ts';
import { formatStorableJson } from './storable-json.ts';

/** Stores a Capture; one that is stored already (same Pass) is left as it is. */
export async function storeCapture(db: Queryable, { passId, outcome }: PassCapture): Promise<void> {
  const { visits, ...told } = outcome.kind === 'captured' ? outcome : { ...outcome, visits: {} };
  const trace = outcome.kind === 'captured' && outcome.trace.kind === 'kept' ? outcome.trace : null;
  await db.query(
    `insert into capture (pass_id, outcome, visits, trace_sha256, trace_bytes) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [passId, formatStorableJson(told), formatStorableJson(visits), trace?.sha256 ?? null, trace?.bytes ?? null],
  );
}

/** A Pass, where it belongs, and its Capture as stored. */
export interface StoredCapture {
  passId: string;
  runId: string;
  block: number;
  scenario: string;
  userAgent: string;
  /** Its Round was given up, so that the Pass may not have been made. */
  isBroken: boolean;
  evaluation: Evaluation;
  /** Null when none is stored. */
  outcome: CaptureOutcome | null;
  traceRemovedAt: Date | null;
}

interface CaptureRow {
  pass_id: string;
  run_id: string;
  block: number;
  scenario: string;
  user_agent: string;
  is_broken: boolean;
  document: unknown;
  outcome: object | null;
  visits: unknown;
  trace_removed_at: Date | null;
}

/** Null when there is no such Pass. */
export async function findCapture(db: Queryable, passId: string): Promise<StoredCapture | null> {
  const { rows } = await db.query<CaptureRow>(
    `select pass.id as pass_id, run_id, block, scenario, user_agent, round.state = 'broken' as is_broken, document, outcome, visits, trace_removed_at
     from pass join round on round.id = round_id join run on run.id = run_id left join capture on capture.pass_id = pass.id
     where pass.id = $1`,
    [passId],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    passId: row.pass_id,
    runId: row.run_id,
    block: row.block,
    scenario: row.scenario,
    userAgent: row.user_agent,
    isBroken: row.is_broken,
    evaluation: EvaluationSchema.parse(row.document),
    outcome: row.outcome && CaptureOutcomeSchema.parse({ ...row.outcome, visits: row.visits }),
    traceRemovedAt: row.trace_removed_at,
  };
}

/** Which of these Passes have their Capture stored. */
export async function findCapturedPasses(db: Queryable, passIds: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ pass_id: string }>('select pass_id from capture where pass_id = any($1)', [passIds]);
  return new Set(rows.map((row) => row.pass_id));
}

/**
 * Gives up the oldest traces, so many that the rest has at most `maximumBytes`; the statistics stay. Returns the hashes that no
 * kept trace has any more.
 */
export async function giveUpTraces(db: Queryable, maximumBytes: number): Promise<string[]> {
  const { rows } = await db.query<{ trace_sha256: string }>(
    `with kept as (
       select pass_id, sum(trace_bytes) over (order by stored_at desc, pass_id) as newer_bytes
       from capture where trace_sha256 is not null and trace_removed_at is null)
     update capture set trace_removed_at = now() from kept
     where capture.pass_id = kept.pass_id and newer_bytes > $1
     returning trace_sha256`,
    [maximumBytes],
  );
  const hashes = [...new Set(rows.map((row) => row.trace_sha256))];
  const { rows: shared } = await db.query<{ trace_sha256: string }>(
    'select distinct trace_sha256 from capture where trace_sha256 = any($1) and trace_removed_at is null',
    [hashes],
  );
  return hashes.filter((hash) => !shared.some((row) => row.trace_sha256 === hash));
}

import { z } from 'zod';
import { causesVersion } from '#core/causes/causes.ts';
import { metricIds, type MetricId } from '#core/metrics/index.ts';
import { AbsenceReasonSchema, type AbsenceReason } from '#core/metrics/metric-definition.ts';
import type { RoundState } from '#core/protocol/api/run.ts';
import { VisitWireSchema, type VisitWire } from '#core/protocol/capture-outcome.ts';
import { HostLoadSchema, type HostLoad } from '#core/protocol/host-load.ts';
import type { StartSkew } from '#core/protocol/start-skew.ts';
import type { Queryable } from '../database/queryable.ts';
import { needVisits } from './kept-visits.ts';

/** One Visit with all that shows where it belongs. */
export interface ExportedVisit {
  visitId: string;
  runId: string;
  block: number;
  scenario: string;
  warmUp: boolean;
  attempt: number;
  roundState: RoundState;
  userAgent: string;
  agent: string;
  url: string;
  address: string;
  repetition: number;
  startedAt: string;
  status: 'ok' | 'failed';
  code: string | null;
  isSettled: boolean | null;
  isHidden: boolean | null;
  /** Why it is left out of the statistics; null where it is not. */
  exclusionReason: string | null;
  readings: Partial<Record<MetricId, number>>;
  /** Why metrics have no Reading. */
  absences: Partial<Record<MetricId, AbsenceReason>>;
  /** Null when its packets were not captured. */
  wire: VisitWire | null;
  clockErrorMs: number;
  requestDelayMs: number | null;
  hostDelayMs: number | null;
  /** As `packCauses` arranges them; null where they are not derived. */
  causes: Uint8Array | null;
  /** Of its Round. */
  startSkew: StartSkew;
  /** Of its Pass; null where its Agent reported nothing. */
  hostLoad: HostLoad | null;
}

const ReadingsSchema = z.partialRecord(z.enum(metricIds), z.number());
const AbsencesSchema = z.partialRecord(z.enum(metricIds), AbsenceReasonSchema);

interface VisitRow {
  id: string;
  user_agent: string;
  agent: string;
  url: string;
  address: string;
  repetition: number;
  started_at: Date;
  status: 'ok' | 'failed';
  code: string | null;
  is_settled: boolean | null;
  is_hidden: boolean | null;
  exclusion_reason: string | null;
  readings: unknown;
  absences: unknown;
  wire: unknown;
  clock_error_ms: number;
  request_delay_ms: number | null;
  host_delay_ms: number | null;
  causes: Buffer | null;
  host_load: unknown;
}

/** A Round of a thousand users has a hundred thousand, each of some kilobytes. */
const mostVisitsAtOnce = 2_000;

/**
 * Every Visit of a Run, Round by Round. No more than some Passes are held in memory, `visitsAtOnce` together, and no connection between them. Throws `visits-deleted` or `not-found` at
 * the end where a deletion began meanwhile: what came is not all.
 */
export async function* exportVisits(
  db: Queryable,
  runId: string,
  { visitsAtOnce = mostVisitsAtOnce }: { visitsAtOnce?: number } = {},
): AsyncGenerator<ExportedVisit> {
  const { rows: rounds } = await db.query<{
    id: string;
    block: number;
    scenario: string;
    warm_up: boolean;
    attempt: number;
    state: RoundState;
    skew: StartSkew;
  }>(
    `select id, block, scenario, warm_up, attempt, state, jsonb_build_object('startSkewMs', start_skew_ms, 'startSkewErrorMs', start_skew_error_ms,
       'firstPacketSkewMs', first_packet_skew_ms, 'firstPacketSkewErrorMs', first_packet_skew_error_ms, 'firstRequestSkewMs', first_request_skew_ms,
       'firstRequestSkewErrorMs', first_request_skew_error_ms, 'pageSkewMs', page_skew_ms, 'pageSkewErrorMs', page_skew_error_ms) as skew
     from round where run_id = $1 order by index, attempt`,
    [runId],
  );

  for (const round of rounds) {
    for (const passIds of await listPasses(db, round.id, visitsAtOnce)) {
      const { rows } = await db.query<VisitRow>(
        `select visit.id, user_agent, agent, url, coalesce(address, url) as address, repetition, visit.started_at, status, code, is_settled, is_hidden, exclusion.reason as exclusion_reason, readings, absences,
           clock_error_ms, request_delay_ms, host_delay_ms, case when causes_version = ${causesVersion} then causes end as causes, host_load, case when not coalesce(is_short, false) then capture.visits->(visit.id::text) end as wire
         from visit join pass on pass.id = visit.pass_id left join pass_capture as capture on capture.pass_id = pass.id
           left join exclusion on exclusion.visit_id = visit.id and reversed_at is null
         where pass.id = any($1) order by user_agent, sequence, visit.id`,
        [passIds],
      );
      for (const row of rows) {
        yield {
          visitId: row.id,
          runId,
          block: round.block,
          scenario: round.scenario,
          warmUp: round.warm_up,
          attempt: round.attempt,
          roundState: round.state,
          userAgent: row.user_agent,
          agent: row.agent,
          url: row.url,
          address: row.address,
          repetition: row.repetition,
          startedAt: row.started_at.toISOString(),
          status: row.status,
          code: row.code,
          isSettled: row.is_settled,
          isHidden: row.is_hidden,
          exclusionReason: row.exclusion_reason,
          readings: ReadingsSchema.parse(row.readings),
          absences: AbsencesSchema.parse(row.absences),
          wire: VisitWireSchema.nullable().parse(row.wire),
          clockErrorMs: row.clock_error_ms,
          requestDelayMs: row.request_delay_ms,
          hostDelayMs: row.host_delay_ms,
          causes: row.causes,
          startSkew: round.skew,
          hostLoad: HostLoadSchema.nullable().parse(row.host_load),
        };
      }
    }
  }
  await needVisits(db, runId);
}

/** The ids of the Passes of a Round in the order of their User Agents, in parts of at most so many Visits, or one Pass. */
async function listPasses(db: Queryable, roundId: string, mostVisits: number): Promise<string[][]> {
  const { rows } = await db.query<{ id: string; visits: number }>(
    'select id, visits_expected as visits from pass where round_id = $1 order by user_agent',
    [roundId],
  );
  const parts: string[][] = [];
  let left = 0;
  for (const { id, visits } of rows) {
    const part = parts.at(-1);
    left -= visits;
    if (part && left >= 0) part.push(id);
    else {
      parts.push([id]);
      left = mostVisits - visits;
    }
  }
  return parts;
}

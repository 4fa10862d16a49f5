import { z } from 'zod';
import { causesVersion } from '#core/causes/causes.ts';
import { metricIds, type MetricId } from '#core/metrics/index.ts';
import { AbsenceReasonSchema, type AbsenceReason } from '#core/metrics/metric-definition.ts';
import type { RoundState } from '#core/protocol/api/run.ts';
import { VisitWireSchema, type VisitWire } from '#core/protocol/capture-outcome.ts';
import { HostLoadSchema, type HostLoad } from '#core/protocol/host-load.ts';
import type { StartSkew } from '#core/protocol/start-skew.ts';
import type { Queryable } from '../database/queryable.ts';
import { skewColumns } from '../runs/round-views.ts';
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

type RoundRow = StartSkew & Pick<ExportedVisit, 'block' | 'scenario' | 'warmUp' | 'attempt' | 'roundState'>;

type Parsed = 'readings' | 'absences' | 'wire' | 'hostLoad';
type VisitRow = Omit<ExportedVisit, Parsed | 'startedAt' | 'startSkew' | 'runId' | keyof RoundRow> &
  Record<Parsed, unknown> & { startedAt: Date };

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
  const { rows: rounds } = await db.query<RoundRow & { id: string }>(
    `select id, block, scenario, warm_up as "warmUp", attempt, state as "roundState", ${skewColumns} from round where run_id = $1 order by index, attempt`,
    [runId],
  );

  for (const { id, block, scenario, warmUp, attempt, roundState, ...startSkew } of rounds) {
    for (const passIds of await listPasses(db, id, visitsAtOnce)) {
      const { rows } = await db.query<VisitRow>(
        `select visit.id as "visitId", user_agent as "userAgent", agent, url, coalesce(address, url) as address, repetition, visit.started_at as "startedAt", status, code, is_settled as "isSettled",
           is_hidden as "isHidden", exclusion.reason as "exclusionReason", readings, absences, clock_error_ms as "clockErrorMs", request_delay_ms as "requestDelayMs", host_delay_ms as "hostDelayMs",
           case when causes_version = ${causesVersion} then causes end as causes, host_load as "hostLoad", case when not coalesce(is_short, false) then capture.visits->(visit.id::text) end as wire
         from visit join pass on pass.id = visit.pass_id left join pass_capture as capture on capture.pass_id = pass.id
           left join exclusion on exclusion.visit_id = visit.id and reversed_at is null
         where pass.id = any($1) order by user_agent, sequence, visit.id`,
        [passIds],
      );
      for (const row of rows) {
        yield {
          ...row,
          ...{ runId, block, scenario, warmUp, attempt, roundState, startSkew },
          startedAt: row.startedAt.toISOString(),
          readings: ReadingsSchema.parse(row.readings),
          absences: AbsencesSchema.parse(row.absences),
          wire: VisitWireSchema.nullable().parse(row.wire),
          hostLoad: HostLoadSchema.nullable().parse(row.hostLoad),
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

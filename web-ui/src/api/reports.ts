import { WireComparisonSchema, type WireComparison } from '#core/comparison/network/compare-wire.ts';
import { VisitPageSchema, type VisitPage, type VisitSort, type VisitStatus } from '#core/protocol/api/listed-visit.ts';
import type { SortOrder } from '#core/protocol/api/run-search.ts';
import { MeasurementsSchema, type Measurements } from '#core/record/measurements.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { MeasureId } from '#core/metrics/measures.ts';
import { RunMethodSchema, type RunMethod } from '#core/record/run-method.ts';
import { ComparisonSchema, type Comparison } from '#core/comparison/comparison.ts';
import type { ComparedCells } from '#core/protocol/api/user-cells.ts';
import { fromSearch } from './run-requests.ts';
import { json, request } from './request.ts';

const pathOf = (runId: string) => `/api/runs/${encodeURIComponent(runId)}`;

export function fetchWire(runId: string, signal: AbortSignal): Promise<WireComparison> {
  return request({ path: `${pathOf(runId)}/wire`, answer: json(WireComparisonSchema), signal });
}

/** Null: of all measures that the Run has. */
export function fetchMeasurements(
  runId: string,
  { measures, from, signal }: { measures: readonly MeasureId[] | null; from: LatencyOrigin; signal: AbortSignal },
): Promise<Measurements> {
  const search = new URLSearchParams({
    ...(measures && { measures: measures.join() }),
    ...fromSearch(from),
  }).toString();
  return request({
    path: `${pathOf(runId)}/measurements${search && `?${search}`}`,
    answer: json(MeasurementsSchema),
    signal,
  });
}

export function fetchMethod(runId: string, signal: AbortSignal): Promise<RunMethod> {
  return request({ path: `${pathOf(runId)}/method`, answer: json(RunMethodSchema), signal });
}

/** Which Visits of a Run; null: of all. */
export interface VisitFilter {
  runId: string;
  scenario: string | null;
  url: string | null;
  userAgent: string | null;
  status?: VisitStatus | null;
  /** Limits of the total latency, as the address has them. */
  atLeastMs?: string | null;
  atMostMs?: string | null;
  /** By Block unless given. */
  sort?: VisitSort | null;
  order?: SortOrder | null;
}

export function fetchVisitPage(
  { runId, ...filter }: VisitFilter,
  page: { after: string | null; signal: AbortSignal },
): Promise<VisitPage> {
  const asked = Object.entries({ ...filter, after: page.after }).filter(
    (entry): entry is [string, string] => entry[1] != null,
  );
  const search = new URLSearchParams(asked);
  return request({
    path: `${pathOf(runId)}/visits/page?${search.toString()}`,
    answer: json(VisitPageSchema),
    signal: page.signal,
  });
}

/** Without the cells of single User Agents unless they are asked for: of many, they are most of it. */
export function fetchComparison(
  runId: string,
  { from, cells = 'pooled', signal }: { from: LatencyOrigin; cells?: ComparedCells; signal?: AbortSignal | undefined },
): Promise<Comparison> {
  const search = new URLSearchParams({ ...fromSearch(from), cells }).toString();
  return request({ path: `${pathOf(runId)}/comparison?${search}`, answer: json(ComparisonSchema), signal });
}

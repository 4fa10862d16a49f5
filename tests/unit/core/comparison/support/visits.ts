import type { RecordedRound, RecordedVisit, RunRecord } from '#core/record/run-record.ts';
import type { CountedVisit } from '#core/comparison/cells/counted-visit.ts';
import { gatherCells, gatherLatencies, type VisitLatencies } from '#core/comparison/cells/gather-cells.ts';
import type { MetricComparison } from '#core/comparison/comparison.ts';
import { compareLatencies } from '#core/comparison/latencies/compare-latencies.ts';
import { unknownSkew } from '#tests/support/sample-run.ts';

export interface Visit extends CountedVisit {
  value: number | null;
}

/** A counted Visit with a value of 100, but for the change. */
export function visit(change: Partial<Visit>): Visit {
  return {
    block: 1,
    scenario: 'direct',
    userAgent: 'alice',
    url: 'a',
    isFailed: false,
    isTimedOut: false,
    isExcluded: false,
    value: 100,
    ...change,
  };
}

export const gather = (visits: Visit[]) => gatherCells(visits, ({ value }) => value);
export const design = {
  scenarios: ['direct', 'proxy'],
  baseline: 'direct',
  userAgents: ['alice', 'bob'],
  urls: ['a', 'b'].map((url) => ({ url, label: url, variables: {} })),
  confidence: 0.95,
  declaredConfidence: 0.95,
  equivalenceMargin: 0.05,
  seed: 7,
};

/** A Visit of a page that loaded and lost nothing. */
export function makeRecordedVisit(parts: Partial<RecordedVisit> = {}): RecordedVisit {
  return {
    block: 1,
    scenario: 'direct',
    userAgent: 'alice',
    url: 'http://origin.test/',
    isFailed: false,
    isTimedOut: false,
    isExcluded: false,
    isUnsettled: false,
    isHidden: false,
    hostDelayMs: null,
    failedObjects: 0,
    latencies: { baseMs: null, viewportMs: null, totalMs: null },
    absences: null,
    ...parts,
  };
}

/** A completed Round whose starts nobody has compared. */
export const makeRecordedRound = (
  parts: Pick<RecordedRound, 'block' | 'scenario'> & Partial<RecordedRound>,
): RecordedRound => ({ warmUp: false, state: 'completed', ...unknownSkew, ...parts });

/** A completed Run that has only what is given. */
export function makeRunRecord(parts: Pick<RunRecord, 'evaluation'> & Partial<RunRecord>): RunRecord {
  return {
    runId: '1',
    state: 'completed',
    seed: 1,
    added: [],
    rounds: [],
    visits: [],
    starts: [],
    exclusions: [],
    ending: null,
    loads: [],
    traffic: [],
    points: [],
    httpep: [],
    ...parts,
  };
}

/** How Scenarios compare under which alice loads one page in these ms, Block after Block. */
export function compareScenarios(
  byScenario: Record<string, readonly number[]>,
  { baseline, confidence = 0.95 }: { baseline: string; confidence?: number },
): MetricComparison[] {
  const url = 'http://origin/';
  const visits = Object.entries(byScenario).flatMap(([scenario, values]) =>
    values.map((value, block): VisitLatencies => ({
      block,
      scenario,
      userAgent: 'alice',
      url,
      isFailed: false,
      isTimedOut: false,
      isExcluded: false,
      latencies: { baseMs: value, viewportMs: value, totalMs: value },
    })),
  );
  return compareLatencies(gatherLatencies(visits), {
    scenarios: Object.keys(byScenario),
    baseline,
    userAgents: ['alice'],
    urls: [{ url, label: 'page', variables: {} }],
    confidence,
    declaredConfidence: 0.95,
    equivalenceMargin: 0.05,
    family: ['totalMs'],
    seed: 1,
  });
}

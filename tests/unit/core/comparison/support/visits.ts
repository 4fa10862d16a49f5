import type { RecordedVisit } from '#core/record/run-record.ts';
import type { CountedVisit } from '#core/comparison/cells/counted-visit.ts';
import { gatherCells } from '#core/comparison/cells/gather-cells.ts';

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

import { expect, test } from 'vitest';
import { countAbsences } from '#core/comparison/cells/count-absences.ts';
import type { RecordedVisit } from '#core/record/run-record.ts';
import { compareMetric } from '#core/comparison/latencies/compare-latencies.ts';
import { design, gather, makeRecordedVisit, visit as visitOf } from '../support/visits.ts';

const visit = (change: Partial<RecordedVisit>) =>
  makeRecordedVisit({ latencies: { baseMs: 1, viewportMs: null, totalMs: null }, ...change });

test('Visits without a value are counted by Scenario, metric and reason, excluded ones not', () => {
  const hidden = { viewportMs: 'page-hidden' } as const;
  expect(
    countAbsences([
      visit({ absences: hidden }),
      visit({ absences: { ...hidden, totalMs: 'not-reached' } }),
      visit({ absences: hidden, isExcluded: true }),
      visit({ scenario: 'proxy', absences: { viewportMs: 'unsupported' } }),
      visit({}),
    ]),
  ).toEqual([
    { metric: 'viewportMs', scenario: 'direct', reason: 'page-hidden', visits: 2 },
    { metric: 'totalMs', scenario: 'direct', reason: 'not-reached', visits: 1 },
    { metric: 'viewportMs', scenario: 'proxy', reason: 'unsupported', visits: 1 },
  ]);
});

test.each([
  ['not-reached', true],
  ['not-applicable', false],
  ['unsupported', false],
] as const)('a total latency that is absent as %s is one that was cut off: %s', (reason, isCut) => {
  const { cells } = compareMetric(
    'totalMs',
    gather([visitOf({}), visitOf({ block: 2 }), visitOf({ block: 3, value: null, absences: { totalMs: reason } })]),
    design,
  );
  expect(cells[0]).toMatchObject({ absentVisits: 1 });
  expect(cells[0]!.distribution!.flags.includes('censored')).toBe(isCut);
  expect(cells[0]).not.toHaveProperty('unfinishedVisits');
});

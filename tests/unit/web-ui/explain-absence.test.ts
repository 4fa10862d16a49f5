import { expect, test } from 'vitest';
import type { AbsenceCount } from '#core/comparison/cells/count-absences.ts';
import { explainAbsence } from '#web-ui/src/pages/comparison/scenarios/explain-absence.ts';

const none = { visits: 0, failedVisits: 0, absentVisits: 0, excludedVisits: 0, leftOutVisits: 0 };
const countsOf = (counts: Partial<typeof none>) => ({ ...none, ...counts });

test('what is absent has its reason', () => {
  expect(explainAbsence(null)).toBe('No Visit was made.');
  expect(explainAbsence(countsOf({ visits: 1, failedVisits: 1 }))).toBe('Of 1 Visit, 1 failed.');
  expect(explainAbsence(countsOf({ excludedVisits: 2 }))).toBe('Every Visit is excluded (2 in total).');
  expect(explainAbsence(countsOf({ visits: 5 }))).toBe('No page has a value in every Scenario.');
  expect(explainAbsence(countsOf({ visits: 5, failedVisits: 1, leftOutVisits: 4 }))).toBe(
    'Of 5 Visits, 1 failed and 4 lost objects (left out).',
  );
  expect(explainAbsence(countsOf({ visits: 5, failedVisits: 3, absentVisits: 2 }))).toBe(
    'Of 5 Visits, 3 failed and 2 have no value.',
  );
  expect(explainAbsence(countsOf({ visits: 5, failedVisits: 1, absentVisits: 2 }))).toBe(
    'No page has a value in every Scenario.',
  );
});

test('Visits that loaded without a value have their reasons where they are known', () => {
  const counts = countsOf({ visits: 5, absentVisits: 5 });
  const metric = 'viewportMs';
  const explain = (...absences: Pick<AbsenceCount, 'metric' | 'reason' | 'visits'>[]) =>
    explainAbsence(counts, { absences });
  expect(explain()).toBe('None of the 5 Visits has a value.');
  expect(explain({ metric, reason: 'unsupported', visits: 5 })).toBe(
    'None of the 5 Visits has a value: the engine has no such measurement.',
  );
  expect(explain({ metric, reason: 'page-hidden', visits: 2 }, { metric, reason: 'timing-hidden', visits: 3 })).toBe(
    'None of the 5 Visits has a value: the page was hidden (2) and the browser hides it from other origins (3).',
  );
  // Those of a Scenario, for one of its pages.
  expect(explain({ metric, reason: 'page-hidden', visits: 9 }, { metric, reason: 'timing-hidden', visits: 3 })).toBe(
    'None of the 5 Visits has a value: the page was hidden or the browser hides it from other origins.',
  );
  expect(
    explainAbsence(
      { ...counts, visits: 1, absentVisits: 1 },
      { scenario: 'proxy', absences: [{ metric, reason: 'page-hidden', visits: 1 }] },
    ),
  ).toBe('The one Visit under proxy has no value: the page was hidden.');
});

test('what did not happen is said of each metric in its own words: pages without images lack their viewport', () => {
  const counts = countsOf({ visits: 30, absentVisits: 30 });
  const explain = (metric: AbsenceCount['metric']) =>
    explainAbsence(counts, { absences: [{ metric, reason: 'not-reached', visits: 30 }] });
  expect(explain('viewportMs')).toBe(
    'None of the 30 Visits has a value: an object that the viewport needs, such as an image, was not loaded.',
  );
  expect(explain('totalMs')).toBe(
    'None of the 30 Visits has a value: the page did not finish loading before the hard cap.',
  );
  expect(explain('baseMs')).toBe('None of the 30 Visits has a value: the page did not arrive.');
});

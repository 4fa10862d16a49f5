import { expect, test } from 'vitest';
import { explainNoReading } from '#web-ui/src/pages/visit/readings-section.tsx';
import { NoVisits } from '#web-ui/src/pages/visit/visits-page.tsx';
import { renderInPage, textsOf } from './support/render-in-page.ts';

test('a latency that a Visit lacks has its reason in words, and none is made up', () => {
  const of = (visit: Partial<Parameters<typeof explainNoReading>[1]>) =>
    explainNoReading('totalMs', { absences: {}, snapshot: null, status: 'ok', ...visit });
  expect(of({ absences: { totalMs: 'not-reached' } })).toBe('did not happen before the Visit ended');
  expect(of({ status: 'failed' })).toBe('the page was not observed');
  // Its Snapshot may have been deleted since.
  expect(of({})).toBe('not computed when the Visit was stored');
});

test('a list without Visits says whether a filter leaves them out, or retention deleted them', () => {
  const textOf = (visitsDeletedAt: string | null, isFiltered: boolean) =>
    textsOf(renderInPage(NoVisits, { run: { visitsDeletedAt }, isFiltered })).join(' ');
  expect(textOf(null, true)).toContain('matches all filters above');
  expect(textOf(null, false)).toContain('Visits are listed when their Round is completed.');
  expect(textOf('2026-11-22T12:00:00.000Z', true)).toContain('The retention setting kept them until 2026-11-22.');
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '#core/comparison/comparison.ts';
import { ecdf } from '#core/statistics/ecdf.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { formatCsv } from '#web-ui/src/export/figure-table.ts';
import { nameFile } from '#web-ui/src/export/save-file.ts';
import { wrapText } from '#web-ui/src/components/chart/draw-figure.ts';
import { colourUsers } from '#web-ui/src/components/scenario/user-colours.ts';
import { boxOf, listVisitValues } from '#web-ui/src/pages/comparison/figures/url-figures.ts';
import { groupByClass } from '#web-ui/src/pages/comparison/figures/user-figures.ts';
import { endAtZero, valueAxis } from '#web-ui/src/figures/plot-axes.ts';
import { remarksOf } from '#web-ui/src/pages/comparison/urls/visit-list.tsx';

describe('a figure as CSV', () => {
  test('has its units, keeps numbers as measured, and leaves absent values empty', () => {
    const csv = formatCsv({
      columns: [{ label: 'URL' }, { label: 'latency', unit: 'ms' }],
      rows: [
        ['http://a/,b', 1234.56789],
        ['say "hi"', null],
      ],
    });
    expect(csv).toBe('URL,latency (ms)\r\n"http://a/,b",1234.56789\r\n"say ""hi""",\r\n');
  });

  test('has no text that a spreadsheet takes for a formula, and no negative number that is kept a text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const [, row] = formatCsv({ columns: [{ label: 'x' }], rows: [[text]] }).split('x\r\n');
        expect(row!.replace(/^"/, '')).not.toMatch(/^[=+\-@\t]/);
      }),
    );
    expect(formatCsv({ columns: [{ label: 'x' }], rows: [[-1.5]] })).toBe('x\r\n-1.5\r\n');
  });
});

test('a file is named by letters, digits and dashes, with any title', () => {
  expect(nameFile('Total latency of <b>é</b>: 95 % intervals')).toBe('total-latency-of-b-é-b-95-intervals');
  expect(nameFile('../..')).toBe('figure');
});

test('a box has the quartiles and the whole range of the Visits, and none without a distribution', () => {
  const ecdf = {
    kind: 'measured' as const,
    points: [1, 2, 3, 4, 5, 6, 7, 8].map((value) => ({ value: value * 10, ratio: value / 8 })),
  };
  expect(boxOf({ distribution: { ecdf } as Cell['distribution'] })).toEqual({
    min: 10,
    q1: 20,
    median: 40,
    q3: 60,
    max: 80,
  });
  expect(boxOf({ distribution: null })).toBeNull();
});

describe('points over a box', () => {
  const counts = { visits: 6, failedVisits: 1, absentVisits: 1, leftOutVisits: 0 };
  const cell = {
    ...counts,
    distribution: {
      ecdf: {
        kind: 'measured',
        points: [
          { value: 10, ratio: 0.25 },
          { value: 20, ratio: 0.75 },
          { value: 30, ratio: 1 },
        ],
      },
    } as Cell['distribution'],
  };

  test('are the values of the Visits that have one, equal values as often as they were measured', () => {
    expect(listVisitValues(cell, 30)).toEqual([10, 20, 20, 30]);
    expect(listVisitValues({ ...cell, distribution: null }, 30)).toBeNull();
  });

  test('are left out where there are more than the box has room for', () => {
    expect(listVisitValues(cell, 3)).toBeNull();
  });

  test('are each Visit of any sample, from its distribution alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }), (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const distribution = { ecdf: { kind: 'measured', points: ecdf(sorted, 50) } } as Cell['distribution'];
        const own = { distribution, visits: values.length, failedVisits: 0, absentVisits: 0, leftOutVisits: 0 };
        expect(listVisitValues(own, 30)).toEqual(sorted);
      }),
    );
  });
});

test('the title of an axis is broken at spaces where a column is too narrow for it', () => {
  expect(wrapText('Reduction vs direct (right of zero: faster)', 36)).toEqual([
    'Reduction vs direct (right of zero:',
    'faster)',
  ]);
  expect(wrapText('unbreakable word', 4)).toEqual(['unbreakable', 'word']);
});

test('the axis of what is never negative ends at zero, wherever intervals reach; that of a difference does not', () => {
  const tick = (value: number) => ({ value });
  const latency = { min: -500, ticks: [-500, 0, 500].map(tick) };
  endAtZero(latency);
  expect(latency).toEqual({ min: 0, ticks: [0, 500].map(tick) });
  const above = { min: 200, ticks: [200, 400].map(tick) };
  endAtZero(above);
  expect(above).toEqual({ min: 200, ticks: [200, 400].map(tick) });
  const inks = chartInks.light;
  expect(valueAxis({ title: 'ms', inks }).afterBuildTicks).toBe(endAtZero);
  expect(valueAxis({ title: 'reduction', inks, canBeNegative: true })).not.toHaveProperty('afterBuildTicks');
});

test('User Agents of a class stand together, classes in the order of their first', () => {
  const users = [
    ['a', 'gold'],
    ['b', 'bronze'],
    ['c', 'gold'],
    ['d', null],
  ].map(([name, userClass]) => ({ name: name!, userClass: userClass ?? null }));
  expect(groupByClass(users).map(({ name }) => name)).toEqual(['a', 'c', 'b', 'd']);
});

test('nine User Agents have nine colours', () => {
  expect(new Set(colourUsers(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']).values()).size).toBe(9);
});

test('a Visit of the list says what to know before its figure', () => {
  const fine = {
    status: 'ok' as const,
    code: null,
    failedObjects: 0,
    isSettled: true,
    isHidden: false,
    exclusionReason: null,
  };
  expect(remarksOf(fine)).toEqual([]);
  expect(remarksOf({ ...fine, status: 'failed', code: 'timeout', isSettled: null, isHidden: null })).toEqual([
    'failed: timeout',
  ]);
  expect(remarksOf({ ...fine, failedObjects: 3 })).toEqual(['3\u00A0failed objects']);
  expect(remarksOf({ ...fine, isSettled: false, isHidden: true, exclusionReason: 'a backup ran' })).toEqual([
    'never settled',
    'tab hidden',
    'excluded: a backup ran',
  ]);
});

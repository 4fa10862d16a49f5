import { expect, test } from 'vitest';
import { findLargestDifference, progressAt, type Film } from '#web-ui/src/pages/visit/film/film.ts';
import { progressFigure } from '#web-ui/src/pages/visit/film/films-of-pair.tsx';

/** A film by the times of its looks, and their visual progress where it is known. */
function film(name: string, times: number[], progress: number[] = []): Film {
  return {
    name,
    style: undefined,
    shape: 16 / 9,
    moments: [],
    looks: times.map((atMs, index) => ({
      sha256: `${name}${index}`,
      atMs,
      shownForMs: null,
      isLate: false,
      ...(progress[index] !== undefined && { progressRatio: progress[index] }),
    })),
  };
}

test('two films open where one is furthest ahead of the other, for the longest of equal times', () => {
  const fast = film('fast', [0, 100, 300], [0, 0.5, 1]);
  const slow = film('slow', [0, 250, 900], [0, 0.25, 1]);
  // At 100 ms they are 0.5 apart, at 250 ms 0.25, from 300 ms to 900 ms 0.75.
  expect(findLargestDifference([fast, slow])).toBe(300);
  expect(findLargestDifference([slow, fast])).toBe(300);
  const late = film('late', [0, 200, 700], [0, 0.5, 1]);
  const early = film('early', [0, 100, 300], [0, 0.5, 1]);
  // 0.5 apart from 100 to 200 ms, and from 300 to 700 ms.
  expect(findLargestDifference([early, late])).toBe(300);
});

test('without visual progress each look counts alike; films that never differ open at their beginning', () => {
  const counted = film('counted', [0, 100, 400]);
  expect([0, 99, 100, 399, 400].map((ms) => progressAt(counted, ms))).toEqual([0, 0, 0.5, 0.5, 1]);
  expect(progressAt(film('one', [50]), 50)).toBe(1);
  expect(progressAt(film('none', []), 50)).toBe(0);
  expect(findLargestDifference([counted, film('same', [0, 100, 400])])).toBe(0);
  // Of a Visit that was not filmed, nothing is seen.
  expect(findLargestDifference([counted, film('none', [])])).toBe(100);
  // Nobody sees what lasts 20 ms, however large it is.
  expect(
    findLargestDifference([film('first', [0, 100, 900], [0, 0.8, 1]), film('second', [0, 120, 300], [0, 0.8, 1])]),
  ).toBe(300);
});

test('the curve of visual progress has a line for each film, and is not drawn of one alone', () => {
  const fast = film('fast', [0, 100], [0, 1]);
  const figure = progressFigure([fast, film('slow', [0, 300], [0, 1])], 'http://origin.test/');
  expect(figure!.table.rows).toEqual([
    ['fast', 0, 0],
    ['fast', 100, 1],
    ['slow', 0, 0],
    ['slow', 300, 1],
  ]);
  const inks = { text: '#000', grid: '#ccc', shade: (colour: string) => colour } as never;
  const drawn = figure!.describe(inks).data.datasets.map(({ data }) => data as { x: number; y: number }[]);
  // Both lines end where the longer film does.
  expect(drawn.map((marks) => marks.at(-1))).toEqual([
    expect.objectContaining({ x: 300, y: 1 }),
    expect.objectContaining({ x: 300, y: 1 }),
  ]);
  expect(progressFigure([fast, film('older', [0, 300])], 'http://origin.test/')).toBeNull();
  expect(progressFigure([], 'http://origin.test/')).toBeNull();
});

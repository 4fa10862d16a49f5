import { expect, test } from 'vitest';
import { fitLine } from '#web-ui/src/figures/arranged-figure.ts';

/** R's data set `cars`. */
const speed = [
  4, 4, 7, 7, 8, 9, 10, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 16, 16, 17, 17, 17,
  18, 18, 18, 18, 19, 19, 19, 20, 20, 20, 20, 20, 22, 23, 24, 24, 24, 24, 25,
];
const distance = [
  2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26, 54, 32, 40, 32, 40,
  50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85,
];

test('a line through points is the one of R’s lm, and the interval of its slope that of confint', () => {
  const line = fitLine(
    speed.map((x, index) => ({ x, y: distance[index]! })),
    0.95,
  )!;
  expect(line.slope).toBeCloseTo(3.93240875912, 9);
  expect(line.intercept).toBeCloseTo(-17.57909489051, 9);
  expect(line.rSquared).toBeCloseTo(0.651079380758, 10);
  expect(line.slope - line.slopeHalfWidth!).toBeCloseTo(3.09696432814, 9);
  expect(line.slope + line.slopeHalfWidth!).toBeCloseTo(4.76785319011, 9);
});

test('two points have a line and no interval, and one x has no line', () => {
  expect(
    fitLine(
      [
        { x: 1, y: 1 },
        { x: 3, y: 5 },
      ],
      0.95,
    ),
  ).toMatchObject({ slope: 2, intercept: -1, rSquared: 1, slopeHalfWidth: null });
  expect(
    fitLine(
      [
        { x: 1, y: 1 },
        { x: 1, y: 5 },
      ],
      0.95,
    ),
  ).toBeNull();
  expect(
    fitLine(
      [1, 2, 3].map((x) => ({ x, y: 7 })),
      0.95,
    ),
  ).toMatchObject({ slope: 0, rSquared: null, slopeHalfWidth: 0 });
});

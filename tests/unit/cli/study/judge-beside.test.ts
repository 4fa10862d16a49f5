import { expect, test } from 'vitest';
import { judgeBeside } from '#cli/study/try-side-by-side.ts';
import { makeStudyRun } from '#tests/support/make-study-run.ts';

/** Two pages in each of ten Blocks, which differ by 1 % from Block to Block. */
function measure(factor: number, blocks = 10) {
  return makeStudyRun({
    visits: Array.from({ length: blocks }, (_, index) => index).flatMap((block) =>
      ['direct', 'proxy'].flatMap((scenario) =>
        [1, 30].map((images) => ({
          ...{ block, scenario, userAgent: 'User', page: `/${images}`, variables: { images } },
          values: { totalMs: images * 1000 * (block % 2 === 0 ? 1 : 1.01) * (scenario === 'proxy' ? factor : 1) },
        })),
      ),
    ),
  });
}

test('Runs beside each other have the same figures where all intervals are within 2 %', () => {
  const { isSame, text } = judgeBeside(measure(1), [measure(1.001), measure(1), measure(0.999)]);
  expect(isSame).toBe(true);
  // qt(0.95, 15.5) · sd · √(1/10 + 1/30), of the logarithms
  expect(text).toMatch(
    /^Beside two others, a study has the same figures as alone: page load times differ by 0\.0 % \(-0\.3 % to 0\.3 %\) with direct, /,
  );
});

test('a Scenario that differs by 2 %, or that too few Blocks have, is not the same', () => {
  const { isSame, text } = judgeBeside(measure(1), [measure(1.02)]);
  expect(isSame).toBe(false);
  expect(text).toContain('may have other figures than alone: page load times differ by 0.0 %');
  expect(text).toMatch(/, 2\.0 % \(1\.\d % to 2\.\d %\) with proxy\./);
  expect(judgeBeside(measure(1, 2), [measure(1, 2)]).isSame).toBe(false);
  expect(() => judgeBeside(measure(1, 1), [measure(1)])).toThrow(/"direct" has fewer than two Blocks/);
});

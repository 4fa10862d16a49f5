import { expect, test } from 'vitest';
import { compareTwo } from '#tests/unit/cli/assertions/support/compare-two.ts';

/** `proxy` is 200 ms faster. */
const compareHeldUp = (hostDelayMs: number | null) =>
  compareTwo((scenario, block) => (scenario === 'proxy' ? 800 : 1000) + block, { hostDelayMs });
const remarksOf = (hostDelayMs: number | null) =>
  compareHeldUp(hostDelayMs).remarks.flatMap(({ about, text }) => (about === 'host-load' ? [text] : []));

test('a difference is remarked on where the hosts may have held up a Visit by more than a tenth of it', () => {
  expect(remarksOf(null)).toEqual([]);
  expect(remarksOf(19)).toEqual([]);
  expect(remarksOf(21)).toEqual([
    expect.stringContaining(
      'The difference of proxy is 200 ms, and the hosts themselves may have held up a Visit by 21 ms',
    ),
  ]);
});

test('what the hosts held up is summarised for each Scenario, and absent where no Agent reported it', () => {
  expect(compareHeldUp(21).hostDelays).toEqual([
    { scenario: 'direct', visits: 8, meanMs: 21, p95Ms: 21 },
    { scenario: 'proxy', visits: 8, meanMs: 21, p95Ms: 21 },
  ]);
  expect(compareHeldUp(null).hostDelays).toEqual([]);
});

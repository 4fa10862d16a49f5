import { expect, test } from 'vitest';
import { describeFinding, describeMismatches, type LinkFinding } from '#core/protocol/link-check.ts';

const finding = (own: Partial<LinkFinding>): LinkFinding => ({
  figure: 'round trip',
  unit: 'ms',
  measured: 600.34,
  expected: 600,
  low: 590,
  high: 610,
  isWithin: true,
  ...own,
});

test('what a link check found is said with what was expected, packets lost as whole numbers that are no ratio', () => {
  expect(describeFinding(finding({}))).toBe('round trip 600.3 ms (expected 600.0)');
  expect(describeFinding(finding({ figure: 'return rate', unit: 'kbps', measured: 999.96, expected: 1000 }))).toBe(
    'return rate 1000.0 kb/s (expected 1000.0)',
  );
  expect(describeFinding(finding({ figure: 'forward loss', unit: 'packets lost', measured: 0, expected: 0 }))).toBe(
    'forward packets lost 0 (expected 0)',
  );
  expect(
    describeFinding(finding({ figure: 'forward loss burst', unit: 'packets in a row', measured: 4.25, expected: 4 })),
  ).toBe('forward loss burst 4.3 packets (expected 4.0)');
  expect(describeFinding(finding({ figure: 'forward rate', unit: 'kbps', measured: null }))).toBe(
    'forward rate could not be measured',
  );
});

test('what a link does not do as its profile says is listed with the range, and nothing else', () => {
  const check = (...findings: LinkFinding[]) =>
    describeMismatches({ profile: 'geo-1m', backend: 'netem', tookMs: 5, findings });
  expect(check()).toEqual([]);
  expect(check(finding({}), finding({ figure: 'forward rate' }))).toEqual([]);
  expect(
    check(
      finding({}),
      finding({ measured: 700, isWithin: false }),
      finding({ segment: 'access', figure: 'forward rate', unit: 'kbps', measured: null, isWithin: false }),
    ),
  ).toEqual([
    'round trip 700.0 ms (expected 600.0), outside 590.0 to 610.0',
    'access forward rate could not be measured, outside 590.0 to 610.0',
  ]);
});

import { describe, expect, test } from 'vitest';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import {
  baselineColour,
  cssColour,
  scenarioColours,
  userColours,
} from '#web-ui/src/components/scenario/series-colours.ts';
import { resolveColours, theme } from '#web-ui/src/components/theme.ts';
import { mergeMantineTheme, DEFAULT_THEME } from '@mantine/core';

const channels = (colour: string) =>
  [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });

/** Relative luminance, WCAG 2.2. */
const luminance = (colour: string) => {
  const [red, green, blue] = channels(colour);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

const contrast = (one: string, other: string) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
};

/** Oklab, Björn Ottosson, 2020. */
const oklab = (colour: string) => {
  const [r, g, b] = channels(colour) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};

const distance = (one: string, other: string) => {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(...a.map((value, index) => value - b[index]!));
};

const variables = resolveColours(mergeMantineTheme(DEFAULT_THEME, theme));

describe.for(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  const { paper, band, shade } = chartInks[scheme];
  const scenarios = [...scenarioColours, baselineColour].map(({ light }) => shade(light));
  const users = userColours.map(({ light }) => shade(light));

  test('each series has a contrast of 4.5:1 on paper, raised surfaces and bands', () => {
    const low = [...scenarios, ...users].flatMap((colour) =>
      [paper, band, variables[scheme]['--surface-raised']!]
        .filter((surface) => contrast(colour, surface) < 4.5)
        .map((surface) => `${colour} on ${surface}: ${contrast(colour, surface).toFixed(2)}`),
    );
    expect(low).toEqual([]);
  });

  test('no User Agent looks like a Scenario, and no two of them look alike', () => {
    const near = users.flatMap((user, index) => [
      ...scenarios.filter((scenario) => distance(user, scenario) < 0.08).map((other) => `${user} and ${other}`),
      ...users
        .slice(index + 1)
        .filter((other) => distance(user, other) < 0.06)
        .map((other) => `${user} and ${other}`),
    ]);
    expect(near).toEqual([]);
  });
});

test('CSS has the colour of both schemes', () => {
  const [{ light, dark }] = scenarioColours as [(typeof scenarioColours)[number]];
  expect(cssColour(light)).toBe(`light-dark(${light}, ${dark})`);
});

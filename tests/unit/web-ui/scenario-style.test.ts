import { expect, test } from 'vitest';
import { baselineColour } from '#web-ui/src/components/scenario/series-colours.ts';
import { labelScenario, styleScenarios } from '#web-ui/src/components/scenario/scenario-style.ts';

const scenarios = Array.from({ length: 43 }, (_, index) => ({ name: `S${index}`, baseline: index === 2 }));

test('no two of 43 Scenarios look the same, and the baseline alone is grey', () => {
  const styles = [...styleScenarios(scenarios).values()];
  expect(new Set(styles.map(({ colour, shape }) => `${colour} ${shape}`)).size).toBe(43);
  expect(styles.filter(({ colour }) => colour === baselineColour.light)).toHaveLength(1);
});

test('a Scenario looks the same wherever the baseline stands among the others', () => {
  const first = styleScenarios([
    { name: 'base', baseline: true },
    { name: 'proxy', baseline: false },
  ]);
  const last = styleScenarios([
    { name: 'proxy', baseline: false },
    { name: 'base', baseline: true },
  ]);
  expect(last.get('proxy')).toEqual(first.get('proxy'));
});

test('baselines of groups are all grey, in shapes that set them apart', () => {
  const styles = styleScenarios([
    { name: 'direct at 256', baseline: true },
    { name: 'proxy at 256', baseline: false },
    { name: 'direct at 1000', baseline: true },
  ]);
  const [first, second] = ['direct at 256', 'direct at 1000'].map((name) => styles.get(name)!);
  expect(first).toEqual({ colour: baselineColour.light, shape: 'circle', isBaseline: true });
  expect(second!.colour).toBe(baselineColour.light);
  expect(second!.shape).not.toBe('circle');
  expect(labelScenario('direct at 1000', styles)).toBe('direct at 1000 (baseline)');
  expect(labelScenario('proxy at 256', styles)).toBe('proxy at 256');
});

test('what is no baseline is not labelled as one, although it has the colour of one', () => {
  const styles = new Map([['proxy', { colour: baselineColour.light, shape: 'rect' as const, isBaseline: false }]]);
  expect(labelScenario('proxy', styles)).toBe('proxy');
});

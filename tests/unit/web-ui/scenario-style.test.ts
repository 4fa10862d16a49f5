import { describe, expect, test } from 'vitest';
import { baselineColour } from '#web-ui/src/components/scenario/series-colours.ts';
import { labelScenario, styleInOrder, styleScenarios } from '#web-ui/src/components/scenario/scenario-style.ts';

const scenarios = Array.from({ length: 43 }, (_, index) => ({ name: `S${index}`, baseline: index === 2 }));

test('no two of 43 Scenarios look the same, and the baseline alone is grey', () => {
  const styles = [...styleScenarios(scenarios).values()];
  expect(new Set(styles.map(({ colour, shape }) => `${colour} ${shape}`)).size).toBe(43);
  expect(styles.filter(({ colour }) => colour === baselineColour.light)).toHaveLength(1);
});

const styleOf = (names: string[], name: string) =>
  styleScenarios(names.map((each, index) => ({ name: each, baseline: index === 0 }))).get(name)!;

test('one thing has one look, whatever it stands beside and in which order', () => {
  const look = styleOf(['direct', 'HTTP/2'], 'HTTP/2');
  expect(styleOf(['HTTP/1.1', 'HTTP/3', 'HTTPS', 'HTTP/2'], 'HTTP/2')).toEqual(look);
  expect(styleOf(['direct', 'h2'], 'h2')).toEqual(look);
  const proxy = styleOf(['base', 'our proxy'], 'our proxy');
  expect(styleOf(['HTTP/1.1', 'HTTP/2', 'our proxy'], 'our proxy').colour).toBe(proxy.colour);
});

test('what the settings say wins over the name', () => {
  const styles = styleScenarios([
    { name: 'old', baseline: true },
    { name: 'new', baseline: false, trait: 'h2' },
  ]);
  expect(styles.get('new')).toEqual(styleOf(['old', 'HTTP/2'], 'HTTP/2'));
});

test('of two that are one thing, the one with fewer words keeps its look', () => {
  const names = ['direct', 'HTTPS, TLS 1.3', 'HTTPS, TLS 1.2', 'HTTPS'];
  expect(styleOf(names, 'HTTPS')).toEqual(styleOf(['direct', 'HTTPS'], 'HTTPS'));
  const styles = names.map((name) => styleOf(names, name));
  expect(new Set(styles.map(({ colour }) => colour)).size).toBe(4);
  expect(new Set(styles.map(({ shape }) => shape)).size).toBe(4);
});

test('up to seven have seven shapes, for those who see no colours', () => {
  const names = ['cubic', 'reno', 'bic', 'hybla', 'vegas', 'westwood', 'bbr'];
  expect(new Set(names.map((name) => styleOf(names, name).shape)).size).toBe(7);
});

describe('in groups', () => {
  const scenarios = ['no loss', '1 % loss'].flatMap((group) =>
    ['HTTP/1.1', 'HTTP/2', 'our proxy'].map((name) => ({
      name: group === 'no loss' ? name : `${name}, ${group}`,
      baseline: name === 'HTTP/1.1',
      group,
    })),
  );

  test('one thing has one colour in each, and other shapes in one chart', () => {
    const styles = styleInOrder(scenarios);
    expect(styles.slice(3).map(({ colour }) => colour)).toEqual(styles.slice(0, 3).map(({ colour }) => colour));
    expect(styles[0]).toEqual({ colour: baselineColour.light, shape: 'circle', isBaseline: true });
    expect(styles[3]).toMatchObject({ colour: baselineColour.light, isBaseline: true });
    expect(new Set(styles.map(({ shape }) => shape)).size).toBe(6);
    // Those of the first group look as they do alone.
    expect(styles.slice(0, 3)).toEqual(styleInOrder(scenarios.slice(0, 3)));
  });

  test('where each has a chart, it has one shape too', () => {
    const styles = styleInOrder(scenarios, { areGroupsApart: true });
    expect(styles.slice(3)).toEqual(styles.slice(0, 3));
  });
});

test('what is no baseline is not labelled as one, although it has the colour of one', () => {
  const styles = new Map([['proxy', { colour: baselineColour.light, shape: 'rect' as const, isBaseline: false }]]);
  expect(labelScenario('proxy', styles)).toBe('proxy');
});

test('a baseline is named as one', () => {
  const styles = styleScenarios([{ name: 'direct', baseline: true }]);
  expect(labelScenario('direct', styles)).toBe('direct (baseline)');
});

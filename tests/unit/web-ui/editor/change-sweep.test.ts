import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { expandSweeps } from '#core/evaluation/sweep/expand-sweeps.ts';
import { chooseHeir, countScenarios } from '#web-ui/src/pages/evaluation/sections/scenarios/scenarios-section.tsx';
import {
  addVariable,
  chooseBaseline,
  findUnusedVariables,
  removeVariable,
  renameVariable,
  startSweep,
  stopSweep,
  type ScenarioEntry,
} from '#web-ui/src/pages/evaluation/editor/sweep/change-sweep.ts';

const evaluationOf = (...scenarios: ScenarioEntry[]) =>
  EvaluationSchema.parse({
    name: 'Sweeps',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
    scenarios,
  });

const template: ScenarioEntry = {
  name: '{mode} at {rateKbps} kb/s',
  group: '{rateKbps} kb/s',
  sweep: { mode: ['direct', 'proxy'], rateKbps: [256, 1000] },
  baseline: { mode: 'direct' },
  except: [
    { rateKbps: 1000, mode: 'proxy' },
    { mode: 'proxy', rateKbps: [256] },
  ],
  network: { link: { forward: { rateKbps: '{rateKbps}', delayMs: 1 }, return: { rateKbps: 64, delayMs: 1 } } },
  setUp: [{ host: 'laptop', script: 'echo ${mode} {mode} $mode' }],
};

test('a sweep begins with the rates of the emulated link, and is valid as it is', () => {
  const swept = startSweep({ name: 'Link', baseline: true, network: { link: 'geo-256k' } });
  const { scenarios } = evaluationOf(swept);
  expect(scenarios.map(({ name, baseline, network }) => [name, baseline, network?.link])).toEqual([
    ['Link at 256 kb/s', true, { preset: 'geo-256k', forward: { rateKbps: 256 } }],
    ['Link at 1000 kb/s', false, { preset: 'geo-256k', forward: { rateKbps: 1000 } }],
  ]);
  expect(findUnusedVariables(swept, [])).toEqual([]);
});

test('without a link, the sweep says that no setting uses its variable yet, and a URL counts as one', () => {
  const swept = startSweep({ name: 'Plain', variables: { value: 1 } });
  expect(swept).toEqual({ name: 'Plain at {value2}', variables: { value: 1 }, sweep: { value2: [1, 2] } });
  expect(findUnusedVariables(swept, ['http://origin.test/{value2}'])).toEqual([]);
  expect(findUnusedVariables(swept, ['http://origin.test/'])).toEqual(['value2']);
});

test('a sweep that ends leaves the first of its Scenarios', () => {
  const [first] = evaluationOf({ ...template, except: [] }).scenarios;
  const [left] = evaluationOf(stopSweep(template, [])).scenarios;
  expect(left).toEqual({ ...first, variables: undefined });
  expect(stopSweep(template, ['http://{mode}.test/']).variables).toEqual({ mode: 'direct' });
  expect(stopSweep({ name: 'Wrong', sweep: { a: [] }, baseline: true }, [])).toEqual({ name: 'Wrong', baseline: true });
});

test('a variable that is renamed keeps all its places, and those of the shell are left alone', () => {
  const renamed = renameVariable(template, 'mode', 'kind');
  expect(renamed).toMatchObject({
    name: '{kind} at {rateKbps} kb/s',
    sweep: { kind: ['direct', 'proxy'] },
    baseline: { kind: 'direct' },
    except: [{ kind: 'proxy' }, { kind: 'proxy' }],
    setUp: [{ script: 'echo ${mode} {kind} $mode' }],
  });
  expect(Object.keys(renamed.sweep as object)).toEqual(['kind', 'rateKbps']);
});

test('a variable that is removed leaves its first value, in what remains valid', () => {
  const left = removeVariable({ ...template, except: [{ mode: 'proxy', rateKbps: 1000 }] }, 'rateKbps');
  expect(left).toMatchObject({
    name: '{mode} at 256 kb/s',
    group: '256 kb/s',
    sweep: { mode: ['direct', 'proxy'] },
    except: [{ mode: 'proxy' }],
    network: { link: { forward: { rateKbps: 256 } } },
  });
  expect(removeVariable(template, 'mode').baseline).toBe(true);
});

test('a variable that is added is in the name, so that names differ', () => {
  const added = addVariable(addVariable({ name: 'A {value}', sweep: { value: [1, 2] } }));
  expect(removeVariable(added, 'value3').name).toBe('A {value} {value2}');
  expect(added).toEqual({
    name: 'A {value} {value2} {value3}',
    sweep: { value: [1, 2], value2: [1, 2], value3: [1, 2] },
  });
  const expanded = expandSweeps([added]);
  expect(expanded.kind === 'expanded' && expanded.scenarios.length).toBe(8);
});

test('the baseline is the first of each group, or the first of all', () => {
  expect(chooseBaseline(template)).toEqual({ mode: 'direct' });
  expect(chooseBaseline({ ...template, group: undefined })).toEqual({ mode: 'direct', rateKbps: 256 });
});

test('who becomes the baseline after a removed one is of the same group, and has no sweep', () => {
  const groups = ['a', 'b', 'b', 'a'].map((group) => ({ group }));
  expect(chooseHeir(groups, 0)).toBe(3);
  expect(chooseHeir([{ group: 'a' }, template], 0)).toBeNull();
  expect(chooseHeir([{}, {}], 1)).toBe(0);
});

test('an entry with a sweep says how many Scenarios it stands for, and any other, or a wrong sweep, says nothing', () => {
  expect(countScenarios({ ...template, except: undefined })).toBe(4);
  expect(countScenarios(template)).toBe(2);
  expect(countScenarios({ name: 'Direct' })).toBeNull();
  expect(countScenarios({ name: '{a}', sweep: { a: 'none' } })).toBeNull();
});

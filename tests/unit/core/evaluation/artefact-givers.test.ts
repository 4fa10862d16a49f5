import { expect, test } from 'vitest';
import { findStorageProblem } from '#controller/captures/artefacts/disk-space.ts';
import { describeMethod } from '#controller/reports/describe-method.ts';
import { orderPasses } from '#controller/coordinator/order-passes.ts';
import { artefactEngines, artefactWords, ArtefactSettingsSchema } from '#core/evaluation/artefact-settings.ts';
import { describeShare, explainUngiven, shareArtefacts } from '#core/evaluation/artefact-givers.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { Engine } from '#core/evaluation/users/user-agent.ts';
import { checkReadiness } from '#web-ui/src/pages/evaluation/side/check-readiness.ts';

const names: Record<Engine, string> = { chrome: 'alice', firefox: 'bob', http: 'carl', extension: 'dora' };

function read(engines: readonly Engine[], artefacts: object) {
  return EvaluationSchema.safeParse({
    name: 'Film',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: engines.map((engine) => ({ name: names[engine], engine, host: 'laptop', urlList: 'pages' })),
    scenarios: [{ name: 'plain', baseline: true }],
    repetition: { rounds: 2 },
    ...(Object.keys(artefacts).length > 0 && { artefacts }),
  });
}

const everyEngine: Engine[] = ['chrome', 'firefox', 'http', 'extension'];
const every = { har: true, screenshot: true, filmstrip: true, mainThread: true };

test('User Agents that can give an artefact do so beside others that cannot', () => {
  const evaluation = read(everyEngine, every).data!;
  const passes = orderPasses({ id: 'r', runId: '1', seed: 1, block: 1, evaluation, scenario: 'plain' });
  expect(passes.map(({ order }) => [order.engine, order.artefacts])).toEqual([
    ['chrome', every],
    ['firefox', { har: true, screenshot: true, filmstrip: false }],
    ['http', { har: true, screenshot: false, filmstrip: false }],
    ['extension', { har: false, screenshot: false, filmstrip: false }],
  ]);
});

test('it is said who gives it and who not: before the Run, in its Method, and of a Visit', () => {
  const evaluation = read(everyEngine, every).data!;
  const words = [
    'Headers of alice, bob, and carl, not of dora: extension records no headers',
    'Screenshots of alice and bob, not of carl and dora: http takes no screenshots, extension takes no screenshots',
    'Films of alice, not of bob, carl, and dora: firefox makes no films, http makes no films, extension makes no films',
    'The main thread of alice, not of bob, carl, and dora: firefox does not record the main thread, http does not record the main thread, extension does not record the main thread',
  ];
  expect(
    checkReadiness(evaluation, [])
      .filter(({ state }) => state === 'limited')
      .map(({ text }) => text.split('. ')[0]),
  ).toEqual(expect.arrayContaining(words));
  const run = { startedAt: null, endedAt: null, labels: {}, added: [], beside: [], rounds: [] };
  const versions = { metricsVersions: [], engineVersions: [], httpVersions: [] };
  expect(describeMethod({ evaluation, ...run, ...versions }, '1.0').artefacts).toEqual(words);
  expect(
    ['alice', 'bob'].map((name) => explainUngiven(evaluation, 'filmstrip', { userAgent: name, warmUp: false })),
  ).toEqual([null, 'firefox makes no films']);
  const plain = read(everyEngine, {}).data!;
  expect([shareArtefacts(plain), explainUngiven(plain, 'filmstrip', { userAgent: 'bob', warmUp: false })]).toEqual([
    [],
    null,
  ]);
});

const text = (evaluation: Parameters<typeof checkReadiness>[0]) =>
  checkReadiness(evaluation, [])
    .filter((each) => each.text.startsWith('Films'))
    .map((each) => `${each.state}: ${each.text.replaceAll('\u00A0', ' ')}`);

test('of the warm-up Block alone, only its Visits are filmed, and the form shows what that costs', () => {
  const evaluation = read(['chrome', 'firefox'], { filmstrip: 'warm-up' }).data!;
  const filmedIn = (block: number) =>
    orderPasses({ id: 'r', runId: '1', seed: 1, block, evaluation, scenario: 'plain' }).map(
      ({ order }) => order.artefacts!.filmstrip,
    );
  expect([filmedIn(0), filmedIn(1), filmedIn(2)]).toEqual([
    [true, false],
    [false, false],
    [false, false],
  ]);
  expect(text(evaluation)).toEqual([
    'limited: Films of alice in the warm-up Block, not of bob: firefox makes no films. 1 filmed Visit, less than 1 s longer in all. No figure includes them',
  ]);
  const seen = { userAgent: 'alice', warmUp: false };
  expect(explainUngiven(evaluation, 'filmstrip', seen)).toBe(
    'only the warm-up Block is filmed, which no figure includes',
  );
  expect(explainUngiven(evaluation, 'filmstrip', { ...seen, warmUp: true })).toBeNull();
});

test('films of each Visit say that figures include their cost, and those of a warm-up that is not there say so', () => {
  expect(text(read(['chrome'], { filmstrip: true }).data!)).toEqual([
    'ready: Films of alice. 3 filmed Visits, less than 1 s longer in all. Figures include a part of it',
  ]);
  const evaluation = read(['chrome'], { filmstrip: 'warm-up' }).data!;
  expect(text({ ...evaluation, repetition: { ...evaluation.repetition, warmUp: false } })).toEqual([
    'limited: Films of nobody: there is no warm-up Block',
  ]);
});

test('many User Agents are counted, not named', () => {
  const userAgents = Array.from({ length: 9 }, (_, index) => ({ name: `${index}`, engine: 'chrome' as const }));
  const artefacts = { ...every, har: false, screenshot: false, mainThread: false };
  const shares = shareArtefacts({ artefacts, userAgents, repetition: { warmUp: true } });
  expect(shares.map(describeShare)).toEqual(['Films of 9 User Agents']);
});

test('films are refused where nobody can make them; the others are as before', () => {
  const problemsOf = (engines: Engine[]) =>
    (read(engines, every).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  expect(problemsOf(['firefox', 'chrome'])).toEqual([]);
  expect(problemsOf(['firefox', 'extension'])).toEqual([
    'artefacts.filmstrip: is given by the engines chrome alone, and no User Agent has one of them: leave it out, or choose one',
    'artefacts.mainThread: is given by the engines chrome alone, and no User Agent has one of them: leave it out, or choose one',
  ]);
  expect(read(['http', 'extension'], { screenshot: true }).success).toBe(true);
});

test('a Run waits for the store of pictures only if somebody makes any', async () => {
  const problemOf = (engines: Engine[]) =>
    findStorageProblem(
      { disk: { findProblem: () => Promise.resolve(null) }, storeWatch: { problem: 'It is away' } } as never,
      read(engines, { screenshot: true }).data!,
    );
  expect([await problemOf(['http']), await problemOf(['http', 'firefox'])]).toEqual([null, 'It is away']);
});

test('every artefact has words and engines', () => {
  const artefacts = Object.keys(ArtefactSettingsSchema.shape);
  expect(Object.keys(artefactWords)).toEqual(artefacts);
  expect(Object.keys(artefactEngines)).toEqual(artefacts);
});

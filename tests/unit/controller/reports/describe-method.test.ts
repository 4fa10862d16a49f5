import { expect, test } from 'vitest';
import { describeMethod } from '#controller/reports/describe-method.ts';
import type { RoundProgress } from '#core/protocol/api/run.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

type Round = Parameters<typeof describeMethod>[0]['rounds'][number];

const round = (change: Partial<RoundProgress>): Round => ({
  block: 1,
  scenario: 'direct',
  warmUp: false,
  attempt: 1,
  state: 'completed',
  problem: null,
  linkCheck: null,
  ...change,
});
const linkCheck = (measured: number | null, isWithin = true) => ({
  profile: 'geo',
  backend: 'userspace' as const,
  tookMs: 5,
  findings: [
    { figure: 'round trip' as const, unit: 'ms' as const, measured, expected: 600, low: 590, high: 610, isWithin },
  ],
});
const run = (rounds: Round[]) => ({
  evaluation: makeEvaluation(),
  startedAt: null,
  endedAt: null,
  labels: {},
  added: [],
  beside: [],
  rounds,
  metricsVersions: [],
  engineVersions: [],
  httpVersions: [],
});

test('link checks are summed up over the counted Rounds of a Scenario, those outside of the profile counted', () => {
  const rounds = [
    round({ linkCheck: linkCheck(600) }),
    round({ linkCheck: linkCheck(604) }),
    round({ linkCheck: linkCheck(null, false) }),
    round({ warmUp: true, linkCheck: linkCheck(900, false) }),
  ];
  expect(describeMethod(run(rounds), '1.0').linkChecks).toEqual([
    {
      scenario: 'direct',
      profile: 'geo',
      figure: 'round trip',
      unit: 'ms',
      expected: 600,
      rounds: 2,
      mean: 602,
      smallest: 600,
      largest: 604,
      outside: 1,
    },
  ]);
});

test('what the network did is summed up over the same Rounds, with what could not be measured', () => {
  const during = (value: number | null) => ({
    ...linkCheck(600),
    during: [
      { figure: 'return utilisation', unit: '%' as const, value },
      { figure: 'voice 1 loss', unit: '%' as const, value: null },
    ],
  });
  const rounds = [
    round({ linkCheck: during(40) }),
    round({ linkCheck: during(60) }),
    round({ linkCheck: linkCheck(600) }),
    round({ state: 'broken', linkCheck: during(1) }),
    round({ warmUp: true, linkCheck: during(2) }),
  ];
  expect(describeMethod(run(rounds), '1.0').networkFigures).toEqual([
    { scenario: 'direct', figure: 'return utilisation', unit: '%', rounds: 2, mean: 50, smallest: 40, largest: 60 },
    { scenario: 'direct', figure: 'voice 1 loss', unit: '%', rounds: 0, mean: null, smallest: null, largest: null },
  ]);
});

test('the viewport is the baseline’s own where it has one', () => {
  const { pageLoad } = describeMethod(run([]), '1.0');
  expect(pageLoad).toMatchObject({ cache: 'cold', viewport: { widthPx: 1366, heightPx: 768 } });
  const evaluation = makeEvaluation();
  const viewport = { widthPx: 390, heightPx: 844 };
  const scenarios = evaluation.scenarios.map((scenario) =>
    scenario.baseline ? { ...scenario, browser: { ...scenario.browser, viewport } } : scenario,
  );
  expect(describeMethod({ ...run([]), evaluation: { ...evaluation, scenarios } }, '1.0').pageLoad.viewport).toEqual(
    viewport,
  );
});

test('Rounds that were repeated are reported with their reason, the first 200 of them', () => {
  const rounds = Array.from({ length: 201 }, (_, index) =>
    round({ block: index, state: 'broken', problem: 'laptop went away' }),
  );
  const method = describeMethod(run(rounds), '1.0');
  expect(method.brokenRoundsInAll).toBe(201);
  expect(method.brokenRounds).toHaveLength(200);
  expect(method.brokenRounds[0]).toEqual({ block: 0, scenario: 'direct', attempt: 1, problem: 'laptop went away' });
});

test('a tunnel is reported as it was in the last counted Round', () => {
  const tunnel = (mtuBytes: number) =>
    ({ kind: 'openvpn', program: 'openvpn 2.6.14', from: 'user', to: 'origin', mtuBytes, overheadBytes: 52 }) as const;
  const rounds = [
    round({ linkCheck: { ...linkCheck(600), tunnel: tunnel(1448) } }),
    round({ linkCheck: { ...linkCheck(600), tunnel: tunnel(1348) } }),
  ];
  expect(describeMethod(run(rounds), '1.0').tunnels).toEqual([{ scenario: 'direct', ...tunnel(1348) }]);
});

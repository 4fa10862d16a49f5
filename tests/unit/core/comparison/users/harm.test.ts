import { expect, test } from 'vitest';
import { causeIds, type CauseId } from '#core/causes/causes.ts';
import { compareDelays, describeUsedLink } from '#core/comparison/users/compare-delays.ts';
import { compareHarm } from '#core/comparison/users/compare-harm.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import type { RecordedVisit } from '#core/record/run-record.ts';
import type { RoundTraffic } from '#core/record/round-traffic.ts';
import { makeRecordedVisit } from '../support/visits.ts';

const startEpochMs = 1_800_000_000_000;

function makeVisit(
  of: Partial<RecordedVisit> & Pick<RecordedVisit, 'block' | 'scenario' | 'userAgent'>,
  totalMs: number,
): RecordedVisit {
  return makeRecordedVisit({ latencies: { baseMs: null, viewportMs: null, totalMs }, ...of });
}

const evaluation = EvaluationSchema.parse({
  name: 'Users',
  urlLists: { pages: ['http://origin.test/'] },
  userAgents: ['alice', 'bob'].map((name) => ({ name, host: 'here', urlList: 'pages' })),
  scenarios: [
    { name: 'both', baseline: true },
    { name: 'alice alone', userAgents: ['alice'] },
    { name: 'bob alone', userAgents: ['bob'] },
  ],
});

test('harm is what a user loses against being alone, by Block', () => {
  const visits = [0, 1, 2, 3].flatMap((block) => [
    makeVisit({ block, scenario: 'both', userAgent: 'alice' }, 1000 + block),
    makeVisit({ block, scenario: 'both', userAgent: 'bob' }, 400 + block),
    makeVisit({ block, scenario: 'alice alone', userAgent: 'alice' }, 600 + block),
    makeVisit({ block, scenario: 'bob alone', userAgent: 'bob' }, 400 + block),
  ]);
  const [both] = compareHarm(visits, { evaluation, confidence: 0.95 })!.scenarios;
  expect(both).toMatchObject({
    scenario: 'both',
    users: [
      {
        userAgent: 'alice',
        soloScenario: 'alice alone',
        blocks: 4,
        aloneMs: 601.5,
        slowDown: { value: 400, low: 400 },
      },
      { userAgent: 'bob', slowDown: { value: 0 } },
    ],
  });
  expect(both!.users[0]!.harm!.ratio).toBeCloseTo(400 / 1001.5, 9);
});

test('alone and together are means of the pages and Blocks that have both, so that they differ by the slow-down', () => {
  const slow = 'http://origin.test/slow';
  const visits = [0, 1, 2, 3].flatMap((block) => [
    makeVisit({ block, scenario: 'both', userAgent: 'alice' }, 1000 + block),
    // Together the slow page never loads, and in one Block the other one does not.
    makeVisit({ block, scenario: 'alice alone', userAgent: 'alice', isFailed: block === 3 }, 600 + block),
    makeVisit({ block, scenario: 'both', userAgent: 'alice', url: slow, isFailed: true }, 0),
    makeVisit({ block, scenario: 'alice alone', userAgent: 'alice', url: slow }, 9000),
  ]);
  const loaded = visits.map((visit) =>
    visit.isFailed ? { ...visit, latencies: { baseMs: null, viewportMs: null, totalMs: null } } : visit,
  );
  const [alice] = compareHarm(loaded, { evaluation, confidence: 0.95 })!.scenarios[0]!.users;
  expect(alice).toMatchObject({ blocks: 3, aloneMs: 601, togetherMs: 1001, slowDown: { value: 400 } });
  expect(alice!.harm!.ratio).toBeCloseTo(400 / 1001, 9);
});

test('without a Scenario in which a user is alone there is no harm', () => {
  const { scenarios } = evaluation;
  expect(
    compareHarm([], { evaluation: { ...evaluation, scenarios: scenarios.slice(0, 1) }, confidence: 0.95 }),
  ).toBeNull();
  const other = scenarios.map((each) => (each.userAgents ? { ...each, variables: { page: 1 } } : each));
  expect(compareHarm([], { evaluation: { ...evaluation, scenarios: other }, confidence: 0.95 })).toBeNull();
});

/** Bytes in bins of 100 ms from the start on. */
const received = (...bytes: number[]) => ({
  binMs: 100,
  bins: bytes.map((_, index) => startEpochMs / 100 + index),
  bytes,
});

function makeRound(
  block: number,
  traffic: Record<string, ReturnType<typeof received>>,
  repairs: Record<string, [number, number][]> = {},
): RoundTraffic {
  return {
    block,
    scenario: 'both',
    hasDrops: false,
    users: Object.entries(traffic).map(([userAgent, own]) => ({
      userAgent,
      received: own,
      repairs: (repairs[userAgent] ?? []).map(([start, end]) => [startEpochMs + start, startEpochMs + end]),
      clockOffsetMs: 0,
      firstPacketEpochMs: startEpochMs,
      lastPacketEpochMs: startEpochMs + 1000,
    })),
  };
}

/** A path of one step, from and until so many milliseconds after the start. */
const pathOf = (cause: CauseId, fromMs: number, toMs: number) => [
  causeIds.indexOf(cause),
  startEpochMs + fromMs,
  startEpochMs + toMs,
];

const design = {
  scenarios: ['both'],
  userAgents: ['alice', 'bob'],
  confidence: 0.95,
  links: new Map([['both', { rateKbps: 1000, hasBackground: false }]]),
};

test('who delays whom: the time that the bytes of one take on the link while the other waits', () => {
  // 12,500 bytes keep 1000 kb/s busy for 100 ms. Alice waits for 150 ms, of which bob fills 50 and then half of 100.
  const rounds = [0, 1].map((block) => makeRound(block, { alice: received(0, 6250), bob: received(12_500, 6250) }));
  const waits = pathOf('server', 50, 200);
  const visits = [0, 1].flatMap((block) => [
    makeVisit({ block, scenario: 'both', userAgent: 'alice', criticalPath: waits }, 200),
    makeVisit({ block, scenario: 'both', userAgent: 'bob', criticalPath: pathOf('browser', 0, 100) }, 200),
  ]);
  expect(compareDelays(rounds, visits, design)).toMatchObject({
    kind: 'measured',
    scenarios: [
      {
        scenario: 'both',
        rateKbps: 1000,
        roundsCounted: 2,
        users: [
          {
            userAgent: 'alice',
            by: [
              { userAgent: 'alice', estimate: { mean: 50 } },
              { userAgent: 'bob', estimate: { mean: 100 } },
            ],
          },
          { userAgent: 'bob', by: [{ estimate: { mean: 0 } }, { estimate: { mean: 0 } }] },
        ],
      },
    ],
  });
});

test('the link was busy with own or others’ bytes, or idle for a reason, and that sums to the latency', () => {
  const rounds = [makeRound(0, { alice: received(0, 6250), bob: received(12_500, 6250) })];
  const path = [...pathOf('connect', 0, 100), ...pathOf('receive', 100, 300)];
  const visits = [makeVisit({ block: 0, scenario: 'both', userAgent: 'alice', criticalPath: path }, 300)];
  const compared = compareDelays(rounds, visits, design);
  if (compared.kind === 'absent') throw new Error(compared.reason);
  const { own, others, idle } = compared.scenarios[0]!.link;
  expect([own.mean, others.mean]).toEqual([50, 150]);
  expect(idle!.map(({ cause, estimate }) => [cause, estimate.mean])).toEqual([['receive', 100]]);
});

test('where the link is idle while a loss of the user who waits is repaired, that is its own part', () => {
  // The link is busy for half of the second bin. The repair of bob is not what alice waits for.
  const rounds = [
    makeRound(
      0,
      { alice: received(0, 6250), bob: received(0) },
      {
        alice: [
          [50, 200],
          [250, 400],
        ],
        bob: [[200, 300]],
      },
    ),
  ];
  const path = [...pathOf('browser', 0, 100), ...pathOf('receive', 100, 300)];
  const visits = [makeVisit({ block: 0, scenario: 'both', userAgent: 'alice', criticalPath: path }, 300)];
  const measured = (of: RoundTraffic[]) => {
    const compared = compareDelays(of, visits, design);
    if (compared.kind === 'absent') throw new Error(compared.reason);
    const { own, others, repairs, idle } = compared.scenarios[0]!.link;
    return {
      busy: [own.mean, others.mean],
      repairs: repairs && repairs.mean,
      idle: idle!.map(({ cause, estimate }) => [cause, estimate.mean]),
    };
  };
  expect(measured(rounds)).toEqual({
    busy: [50, 0],
    repairs: 100,
    idle: [
      ['receive', 50],
      ['browser', 100],
    ],
  });
  const unknown = rounds.map((round) => ({
    ...round,
    users: round.users.map((user) => ({ ...user, repairs: null })),
  }));
  expect(measured(unknown)).toEqual({
    busy: [50, 0],
    repairs: null,
    idle: [
      ['receive', 150],
      ['browser', 100],
    ],
  });
});

test('the users of a Scenario are those that take part in it', () => {
  const visits = [
    makeVisit({ block: 0, scenario: 'both', userAgent: 'alice', criticalPath: pathOf('server', 0, 100) }, 100),
  ];
  const compared = compareDelays([makeRound(0, { alice: received(0), bob: received(12_500) })], visits, {
    ...design,
    userAgents: ['alice', 'bob', 'carol'],
    usersOf: new Map([['both', ['alice', 'bob']]]),
  });
  expect(compared).toMatchObject({ scenarios: [{ users: [{ userAgent: 'alice' }, { userAgent: 'bob' }] }] });
});

test('where one Capture does not say when losses were repaired, no Round has that apart: the parts sum to the latency', () => {
  const traffic = { alice: received(0), bob: received(0) };
  const known = makeRound(0, traffic, { alice: [[0, 50]] });
  const unknown = makeRound(1, traffic);
  unknown.users[1]!.repairs = null;
  const visits = [0, 1].map((block) =>
    makeVisit({ block, scenario: 'both', userAgent: 'alice', criticalPath: pathOf('receive', 0, 200) }, 200),
  );
  expect(compareDelays([known, unknown], visits, design)).toMatchObject({
    scenarios: [{ link: { own: { mean: 0 }, repairs: null, idle: [{ cause: 'receive', estimate: { mean: 200 } }] } }],
  });
});

test('with background load, which no Capture of a User Agent has, nothing says that the link was idle', () => {
  const rounds = [makeRound(0, { alice: received(0, 6250), bob: received(12_500) })];
  const visits = [
    makeVisit({ block: 0, scenario: 'both', userAgent: 'alice', criticalPath: pathOf('receive', 0, 300) }, 300),
  ];
  const links = new Map([['both', { rateKbps: 1000, hasBackground: true }]]);
  expect(compareDelays(rounds, visits, { ...design, links })).toMatchObject({
    scenarios: [
      {
        users: [{ by: [{ estimate: { mean: 50 } }, { estimate: { mean: 100 } }] }, { by: [] }],
        link: { own: { mean: 50 }, others: { mean: 100 }, repairs: null, idle: null },
      },
    ],
  });
});

test('what users receive shows how busy a link of one rate is, but not behind HTTPEP or in a tunnel', () => {
  const way = { rateKbps: 2000, delayMs: 20 };
  const network = { link: { forward: way, return: way } };
  const of = (change: object) => describeUsedLink(ScenarioSchema.parse({ name: 'over a link', network, ...change }));
  expect(of({})).toEqual({ rateKbps: 2000, hasBackground: false });
  expect(of({ network: { ...network, background: [{ kind: 'voice' }] } })).toEqual({
    rateKbps: 2000,
    hasBackground: true,
  });
  expect(of({ httpep: {} })).toBeNull();
  expect(of({ network: { ...network, tunnel: { kind: 'wireguard' } } })).toBeNull();
  expect(of({ network: undefined })).toBeNull();
});

test('a Round with drops, without all users or a rate counts for nothing, and the reason is given', () => {
  const round = makeRound(0, { alice: received(1), bob: received(1) });
  const visits = [
    makeVisit({ block: 0, scenario: 'both', userAgent: 'alice', criticalPath: pathOf('server', 0, 9) }, 9),
  ];
  for (const [rounds, changes] of [
    [[{ ...round, hasDrops: true }], {}],
    [[{ ...round, users: round.users.slice(1) }], {}],
    [[round], { links: new Map([['both', null]]) }],
  ] as const)
    expect(compareDelays(rounds, visits, { ...design, ...changes })).toMatchObject({ kind: 'absent' });
});

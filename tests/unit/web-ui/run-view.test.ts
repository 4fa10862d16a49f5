import { describe, expect, test } from 'vitest';
import { measuringMs } from '#core/protocol/api/run-summary.ts';
import { estimateTimeLeftMs, type RoundProgress } from '#core/protocol/api/run.ts';
import { describeRunState } from '#web-ui/src/components/run/run-state-label.tsx';
import { describeFailures } from '#web-ui/src/pages/run/describe-failures.ts';
import { sumBySecond } from '#web-ui/src/pages/run/throughput-points.ts';
import { currentSlot, describeSlot, fillSlots } from '#web-ui/src/pages/run/round-slots.ts';
import { unknownSkew } from '#tests/support/sample-run.ts';

const plan = [0, 1, 2].map((index) => ({ index, addition: 0, block: index, scenario: 'direct', warmUp: index === 0 }));

function makeRound(round: Pick<RoundProgress, 'index' | 'attempt' | 'state'> & { problem?: string }): RoundProgress {
  const { problem = null, ...rest } = round;
  return {
    id: `${round.index}/${round.attempt}`,
    ...plan[round.index]!,
    ...rest,
    problem,
    ...unknownSkew,
    linkCheck: null,
    totals: { visitsMade: 4, visitsFailed: 0, visitsUnsettled: 0, visitsRefused: 0, failures: {} },
    passes: [],
    capturePoints: [],
  };
}

describe('the grid of Rounds', () => {
  test('each planned Round has its attempts in order, also when they arrive in another', () => {
    const slots = fillSlots({
      plan,
      rounds: [
        makeRound({ index: 1, attempt: 2, state: 'completed' }),
        makeRound({ index: 1, attempt: 1, state: 'broken' }),
      ],
    });
    expect(slots.map((slot) => slot.attempts.map(({ attempt }) => attempt))).toEqual([[], [1, 2], []]);
    expect(slots.map(describeSlot)).toEqual(['planned', 'completed at attempt 2', 'planned']);
  });

  test('a broken Round shows its reason', () => {
    const slots = fillSlots({
      plan,
      rounds: [makeRound({ index: 0, attempt: 1, state: 'broken', problem: 'Agent lab was lost' })],
    });
    expect(describeSlot(slots[0]!)).toBe('broken: Agent lab was lost');
  });

  test('a Round counts Visits that failed or did not settle', () => {
    const round = makeRound({ index: 0, attempt: 1, state: 'completed' });
    const describe = (faults: Partial<RoundProgress['totals']>) =>
      describeSlot(fillSlots({ plan, rounds: [{ ...round, totals: { ...round.totals, ...faults } }] })[0]!);
    expect(describe({})).toBe('completed');
    expect(describe({ visitsRefused: 2 })).toBe('completed, Visits: 2 refused');
    expect(describe({ visitsFailed: 1, visitsUnsettled: 3 })).toBe('completed, Visits: 1 failed, 3 unsettled');
  });

  test('the Round under way is shown, else the last one that was tried', () => {
    const completed = makeRound({ index: 0, attempt: 1, state: 'completed' });
    expect(currentSlot(fillSlots({ plan, rounds: [] }))).toBeNull();
    expect(currentSlot(fillSlots({ plan, rounds: [completed] }))?.index).toBe(0);
    expect(
      currentSlot(fillSlots({ plan, rounds: [completed, makeRound({ index: 1, attempt: 1, state: 'running' })] }))
        ?.index,
    ).toBe(1);
  });
});

test('a Run that was completed without a single page is no good news, one without Visits or under way is what it is', () => {
  const describe = (visits: number, failedVisits: number, state: 'completed' | 'running' = 'completed') =>
    Object.values(describeRunState({ state, pausedAt: null, visits, failedVisits })).join(': ');
  expect([describe(4, 4), describe(4, 3), describe(0, 0), describe(4, 4, 'running')]).toEqual([
    'bad: completed, all Visits failed',
    'good: completed',
    'good: completed',
    'active: running',
  ]);
});

test('the codes of failed Visits are counted over the Passes, the most frequent first', () => {
  expect(describeFailures([{ failures: {} }])).toBeNull();
  expect(
    describeFailures([
      { failures: { timeout: 1, 'connection-refused': 1 } },
      { failures: { 'connection-refused': 4 } },
    ]),
  ).toBe('5 × connection-refused, 1 × timeout');
});

test('the time left falls while a Round makes its Visits', () => {
  // Rounds of 4 s: one for the start, and one for each of three Visits.
  const lefts = [0, 1, 2, 3].map((visitsMade) =>
    estimateTimeLeftMs(
      {
        ...{ roundsCompleted: 2, roundsPlanned: 6 },
        rounds: [
          { state: 'completed', passes: [] },
          { state: 'running', passes: [{ visitsMade, visitsExpected: 3 }] },
        ],
      },
      8_000 + 1_000 * (visitsMade + 1),
    ),
  );
  expect(lefts).toEqual([15_000, 14_000, 13_000, 12_000]);
});

test('the time left is that of the Rounds before, and a pause is no time that they take', () => {
  expect(estimateTimeLeftMs({ roundsCompleted: 0, roundsPlanned: 10, rounds: [] }, 60_000)).toBeNull();
  expect(estimateTimeLeftMs({ roundsCompleted: 4, roundsPlanned: 10, rounds: [] }, 60_000)).toBe(90_000);
  expect(estimateTimeLeftMs({ roundsCompleted: 10, roundsPlanned: 10, rounds: [] }, 60_000)).toBe(0);

  const [start, pausedAt, endedAt] = [1_000_000, 1_060_000, 1_090_000];
  const run = { startedAt: new Date(start).toISOString(), endedAt: null, pausedAt: null, pausedMs: 20_000 };
  expect(measuringMs({ ...run, startedAt: null }, start)).toBeNull();
  expect(measuringMs(run, start + 50_000)).toBe(30_000);
  expect(measuringMs({ ...run, pausedAt: new Date(pausedAt).toISOString() }, start + 900_000)).toBe(40_000);
  expect(measuringMs({ ...run, endedAt: new Date(endedAt).toISOString() }, start + 900_000)).toBe(70_000);
});

test('the bin that a Pass started in counts to its first second, not to one before it', () => {
  const series = { binMs: 100, bins: [10_004, 10_010, 10_015], bytes: [7, 20, 300] };
  expect([...sumBySecond(series, 1_000_450)]).toEqual([
    [0, 27],
    [1, 300],
  ]);
});

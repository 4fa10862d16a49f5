import { describe, expect, test } from 'vitest';
import { type Disturbance, isQuiet, quietLimits, watchDisturbance } from '../../support/disturbance.ts';
import { attemptLimit, decide, judgeTime } from '../../support/judge-time.ts';

const quiet: Disturbance = { lateMs: 2, waitingShare: 0.1, stolenShare: 0 };
const disturbances: [string, Disturbance][] = [
  ['a late event loop', { ...quiet, lateMs: quietLimits.lateMs + 1 }],
  ['tasks that wait for a core', { ...quiet, waitingShare: quietLimits.waitingShare! + 0.01 }],
  ['stolen time', { ...quiet, stolenShare: quietLimits.stolenShare! + 0.01 }],
];

test.each(disturbances)('%s disturbs, at the limit nothing does', (_, disturbance) => {
  expect(isQuiet(disturbance)).toBe(false);
  expect(isQuiet(quietLimits)).toBe(true);
});

test('what the system does not say disturbs nobody', () => {
  expect(isQuiet({ lateMs: 0, waitingShare: null, stolenShare: null })).toBe(true);
});

describe.each(disturbances)('with %s', (_, disturbance) => {
  test.each([false, true])('nothing follows from a bound that is broken: %s', (isBroken) => {
    const verdicts = [1, 2, 3].map((number) => decide({ number, disturbance, isBroken }));
    expect(verdicts).toEqual(['repeat', 'repeat', 'inconclusive']);
  });
});

test('in quiet every attempt decides', () => {
  for (let number = 1; number <= attemptLimit; number++) {
    expect(decide({ number, disturbance: quiet, isBroken: false })).toBe('holds');
    expect(decide({ number, disturbance: quiet, isBroken: true })).toBe('broken');
  }
});

test('a machine has limits of its own where the test says so', () => {
  const limits = { ...quietLimits, lateMs: 1 };
  expect(decide({ number: 1, disturbance: quiet, isBroken: false }, limits)).toBe('repeat');
});

/** Judges measurements of 1, 2, 3 … of which only those up to 1 are within the bound, on a machine that was so each time. */
async function judge(seen: Disturbance[]) {
  let measured = 0;
  const judged = judgeTime(
    {
      skip: (note?: unknown) => {
        throw new Error(`Skipped, ${String(note)}`);
      },
    },
    {
      measure: () => Promise.resolve(++measured),
      holds: (value) => expect(value, 'the bound').toBeLessThanOrEqual(1),
      watch: () => () => seen[measured - 1]!,
    },
  );
  const end = await judged.then(
    () => 'passed',
    (error: unknown) => (error as Error).message,
  );
  return { end, measured };
}

test('a quiet measurement within the bound passes at once', async () => {
  expect(await judge([quiet])).toEqual({ end: 'passed', measured: 1 });
});

test('one within the bound is made again where it was disturbed, and the quiet one decides', async () => {
  const { end, measured } = await judge([disturbances[0]![1], quiet]);
  expect(end).toContain('the bound');
  expect(measured).toBe(2);
});

test('without a quiet one the test is skipped, with the load of each', async () => {
  const { end, measured } = await judge(disturbances.map(([, disturbance]) => disturbance));
  expect(end).toMatch(/^Skipped, inconclusive: load in 3 attempts: .*51 ms late.*51\.0 %.*stolen 3\.0 %$/);
  expect(measured).toBe(3);
});

test('what disturbed the machine before a measurement began says nothing', async () => {
  const seen = [disturbances[0]![1], quiet];
  let measured = 0;
  await judgeTime(
    { skip: () => expect.unreachable() },
    {
      measure: (begin) => {
        begin();
        return Promise.resolve(++measured);
      },
      holds: () => undefined,
      watch: () => () => seen.shift()!,
    },
  );
  expect(measured).toBe(1);
});

test('a measurement that fails otherwise fails the test whatever the load', async () => {
  const failing = judgeTime(
    { skip: () => expect.unreachable() },
    {
      measure: () => Promise.reject(new Error('no browser')),
      holds: () => undefined,
      watch: () => () => disturbances[0]![1],
    },
  );
  await expect(failing).rejects.toThrow('no browser');
});

test('the machine says what disturbs it', () => {
  const end = watchDisturbance();
  const { lateMs, waitingShare, stolenShare } = end();
  expect(lateMs).toBeGreaterThanOrEqual(0);
  for (const share of [waitingShare, stolenShare]) expect(share ?? 0).toBeGreaterThanOrEqual(0);
});

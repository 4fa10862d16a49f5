import { describe, expect, it } from 'vitest';
import { RepetitionSchema, roundLimits } from '#core/evaluation/rounds/repetition.ts';
import { decideStop, type RunSoFar, type StopCell } from '#core/stop-rule/decide-stop.ts';
import { estimateRun } from '#controller/estimates/estimate-run.ts';

function cellOf(rounds: StopCell['rounds'], url = 'http://origin.test/'): StopCell {
  return { metric: 'totalMs', scenario: 'direct', userAgent: 'alice', url, rounds };
}

const adaptive = RepetitionSchema.parse({ adaptive: { target: { halfWidthRatio: 0.05 }, maxRounds: 20 } });
const exact = cellOf({ count: 6, mean: 1000, standardDeviation: 40 });
const vague = cellOf({ count: 6, mean: 1000, standardDeviation: 60 });

function runOf(change: Partial<RunSoFar>): RunSoFar {
  return {
    repetition: adaptive,
    confidence: 0.95,
    blocks: 6,
    elapsedMs: 60_000,
    blockMs: 10_000,
    cells: [exact],
    ...change,
  };
}

describe('the repetition of an Evaluation', () => {
  const problemsOf = (repetition: object) =>
    RepetitionSchema.safeParse(repetition).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('is a number of Rounds, 5 when it says nothing, or a target with bounds', () => {
    expect(RepetitionSchema.parse({})).toEqual({ order: 'random-blocks', rounds: 5, warmUp: true, attempts: 3 });
    expect(roundLimits(RepetitionSchema.parse({ rounds: 12 }))).toEqual({ minRounds: 12, maxRounds: 12 });
    expect(adaptive).toMatchObject({ adaptive: { target: { halfWidthRatio: 0.05 }, minRounds: 5, maxRounds: 20 } });
    expect(adaptive.rounds).toBeUndefined();
    expect(RepetitionSchema.parse(adaptive)).toEqual(adaptive);
    expect(roundLimits(adaptive)).toEqual({ minRounds: 5, maxRounds: 20 });
  });

  it('refuses what contradicts itself, or stops too early', () => {
    const target = { halfWidthRatio: 0.05 };
    expect(problemsOf({ rounds: 5, adaptive: { target } })).toEqual([
      expect.stringMatching(/^rounds: cannot be used with "adaptive"/),
    ]);
    expect(problemsOf({ order: 'sequential', adaptive: { target } })).toEqual([
      expect.stringMatching(/^order: must be "random-blocks"/),
    ]);
    expect(problemsOf({ adaptive: { target, minRounds: 4 } })).toEqual(['adaptive.minRounds: must be at least 5']);
    expect(problemsOf({ adaptive: { target, minRounds: 9, maxRounds: 8 } })).toEqual([
      'adaptive.maxRounds: must be at least minRounds, which is 9',
    ]);
    expect(problemsOf({ adaptive: { target: {} } })).toEqual([
      expect.stringMatching(/^adaptive.target: must have exactly one/),
    ]);
    expect(problemsOf({ adaptive: { target: { halfWidthRatio: 0.05, halfWidthMs: 50 } } })).toEqual([
      expect.stringMatching(/^adaptive.target: must have exactly one/),
    ]);
  });
});

describe('the stop rule', () => {
  it('with a fixed number of Rounds waits for just that', () => {
    const fixed = RepetitionSchema.parse({ rounds: 7 });
    expect(decideStop(runOf({ repetition: fixed, blocks: 6 }))).toEqual({ kind: 'continue', cells: [] });
    expect(decideStop(runOf({ repetition: fixed, blocks: 7 }))).toEqual({ kind: 'stop', reason: 'fixed', cells: [] });
  });

  it('stops when the interval of every cell is narrow enough, and reports each', () => {
    const decision = decideStop(runOf({}));
    expect(decision).toMatchObject({ kind: 'stop', reason: 'target', cells: [{ targetMs: 50, isReached: true }] });
    // scipy: t.ppf(0.98, 5) * 40 / sqrt(6); for the interval of an adaptive Run is computed at 1 − 0.8·α
    expect(decision.cells[0]!.halfWidthMs).toBeCloseTo(45.01359566874451, 9);
    expect(decideStop(runOf({ cells: [exact, vague] }))).toMatchObject({
      kind: 'continue',
      cells: [{ isReached: true }, { isReached: false }],
    });
  });

  it('takes a target in ms as well', () => {
    const inMs = RepetitionSchema.parse({ adaptive: { target: { halfWidthMs: 45 } } });
    expect(decideStop(runOf({ repetition: inMs })).kind).toBe('continue');
    expect(
      decideStop(runOf({ repetition: RepetitionSchema.parse({ adaptive: { target: { halfWidthMs: 45.1 } } }) })).kind,
    ).toBe('stop');
  });

  it('never stops for narrow intervals before minRounds, nor for a cell with fewer values than that', () => {
    const lucky = cellOf({ count: 4, mean: 1000, standardDeviation: 0.1 });
    expect(decideStop(runOf({ blocks: 4, cells: [lucky] }))).toMatchObject({ kind: 'continue' });
    expect(decideStop(runOf({ blocks: 6, cells: [lucky] }))).toMatchObject({
      kind: 'continue',
      cells: [{ isReached: false }],
    });
  });

  it('ends at maxRounds and says that a cell which always failed missed the target', () => {
    expect(decideStop(runOf({ blocks: 19, cells: [cellOf(null)] })).kind).toBe('continue');
    expect(decideStop(runOf({ blocks: 20, cells: [cellOf(null)] }))).toMatchObject({
      kind: 'stop',
      reason: 'max-rounds',
      cells: [{ halfWidthMs: null, targetMs: null, isReached: false }],
    });
  });

  it('begins no Block that would end after the time budget', () => {
    const budgeted = RepetitionSchema.parse({ adaptive: { target: { halfWidthRatio: 0.05 }, timeBudgetMs: 100_000 } });
    expect(decideStop(runOf({ repetition: budgeted, cells: [vague], elapsedMs: 90_000 }))).toMatchObject({
      kind: 'continue',
    });
    expect(decideStop(runOf({ repetition: budgeted, cells: [vague], elapsedMs: 90_001 }))).toMatchObject({
      kind: 'stop',
      reason: 'time-budget',
    });
  });

  it('stops at once when values never differ', () => {
    expect(
      decideStop(runOf({ cells: [cellOf({ count: 5, mean: 250, standardDeviation: 0 })], blocks: 5 })),
    ).toMatchObject({ kind: 'stop', reason: 'target' });
  });
});

describe('the estimate before a Run', () => {
  const earlier = { repetition: adaptive, confidence: 0.95, blockMs: 10_000 };

  it('has the fewest Rounds with which the half-width is at the target', () => {
    // scipy: t.ppf(0.98, 7) * 60 / sqrt(8) = 53.4, t.ppf(0.98, 8) * 60 / sqrt(9) = 48.98
    expect(estimateRun({ ...earlier, cells: [exact, vague] })).toEqual({
      rounds: 9,
      durationMs: 100_000,
      endsBy: 'target',
      slowest: { cell: vague, rounds: 9 },
    });
    expect(estimateRun({ ...earlier, cells: [cellOf({ count: 6, mean: 1000, standardDeviation: 0 })] })).toMatchObject({
      rounds: 5,
      endsBy: 'target',
    });
  });

  it('is bounded by maxRounds and by the time budget', () => {
    const noisy = cellOf({ count: 6, mean: 1000, standardDeviation: 400 });
    expect(estimateRun({ ...earlier, cells: [noisy] })).toMatchObject({
      rounds: 20,
      endsBy: 'max-rounds',
      slowest: { rounds: 21 },
    });
    expect(estimateRun({ ...earlier, cells: [exact, cellOf(null)] })).toMatchObject({
      rounds: 20,
      endsBy: 'max-rounds',
    });
    const within = (timeBudgetMs: number) => {
      const repetition = RepetitionSchema.parse({ adaptive: { target: { halfWidthRatio: 0.05 }, timeBudgetMs } });
      return estimateRun({ ...earlier, repetition, cells: [noisy] });
    };
    expect(within(70_000)).toMatchObject({ rounds: 6, durationMs: 70_000, endsBy: 'time-budget' });
    // Nothing is decided before the first Block that counts.
    expect(within(5_000)).toMatchObject({ rounds: 1, durationMs: 20_000, endsBy: 'time-budget' });
  });

  it('is the plain product with a fixed number of Rounds', () => {
    expect(estimateRun({ ...earlier, repetition: RepetitionSchema.parse({ rounds: 10 }), cells: [] })).toEqual({
      rounds: 10,
      durationMs: 110_000,
      endsBy: 'fixed',
      slowest: null,
    });
  });
});

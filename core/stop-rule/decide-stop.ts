import { roundLimits, type Repetition, type StopTarget } from '../evaluation/rounds/repetition.ts';
import type { LatencyId } from '../metrics/index.ts';
import { tQuantile } from '../statistics/mean-interval.ts';
import type { SampleSummary } from '../statistics/summarize-sample.ts';
import { intervalConfidence } from './level-of-look.ts';

/** A Run at the end of a Block. */
export interface RunSoFar {
  repetition: Repetition;
  /** As declared. */
  confidence: number;
  /** Completed Blocks that count: without the warm-up. */
  blocks: number;
  /** Where Rounds were added: the last Block of them, and the Blocks at each earlier look at the result. */
  added?: { lastBlock: number; looks: readonly number[] } | undefined;
  /** Since the start of the Run. */
  elapsedMs: number;
  /** What a Block took so far, in the mean; null before the first. */
  blockMs: number | null;
  /** Of the metrics that the stop rule looks at. Not looked at with a fixed number of Rounds. */
  cells: readonly StopCell[];
}

export const stopReasons = ['fixed', 'target', 'max-rounds', 'time-budget', 'added'] as const;
export type StopReason = (typeof stopReasons)[number];

/** A cell and whether its mean reached its target. */
export interface TargetCell extends StopCell {
  /** Null with fewer than two values. */
  halfWidthMs: number | null;
  /** Null without values. */
  targetMs: number | null;
  isReached: boolean;
}

export type StopDecision =
  | { kind: 'continue'; cells: TargetCell[] }
  /** `fixed`: the declared number of Rounds. `added`: the Rounds that were added. `target`: every cell is exact enough. The others: not every cell is. */
  | { kind: 'stop'; reason: StopReason; cells: TargetCell[] };

/**
 * Whether a Run ends after this Block. With `adaptive`: when the half-width of the t interval of every cell's mean is at most the target, not before `minRounds`; at
 * `maxRounds`; or when one more Block would, at the pace so far, end after the time budget (which counts even before `minRounds`). It looks at widths, never at
 * differences or p-values: stopping on p < 0.05 finds a difference in more than a quarter of the Runs that have none. Rounds that were added end with the last of them.
 */
export function decideStop(run: RunSoFar): StopDecision {
  const { adaptive } = run.repetition;
  const { minRounds, maxRounds } = roundLimits(run.repetition);
  if (!adaptive) {
    if (run.blocks < (run.added?.lastBlock ?? maxRounds)) return { kind: 'continue', cells: [] };
    return { kind: 'stop', reason: run.added ? 'added' : 'fixed', cells: [] };
  }

  const looks = run.added ? [...run.added.looks, run.blocks] : [];
  const confidence = intervalConfidence(run.repetition, run.confidence, looks);
  const cells = run.cells.map((cell): TargetCell => {
    const halfWidthMs = cell.rounds && halfWidthOf(cell.rounds, { rounds: cell.rounds.count, confidence });
    const targetMs = cell.rounds && targetOf(cell.rounds, adaptive.target);
    // A cell with fewer values than minRounds, as after failures, has too few for a decision, even if its interval is narrow.
    const isReached =
      cell.rounds !== null &&
      cell.rounds.count >= minRounds &&
      halfWidthMs !== null &&
      targetMs !== null &&
      halfWidthMs <= targetMs;
    return { ...cell, halfWidthMs, targetMs, isReached };
  });
  if (run.added)
    return run.blocks >= run.added.lastBlock ? { kind: 'stop', reason: 'added', cells } : { kind: 'continue', cells };
  if (run.blocks >= minRounds && cells.length > 0 && cells.every(({ isReached }) => isReached))
    return { kind: 'stop', reason: 'target', cells };
  if (run.blocks >= maxRounds) return { kind: 'stop', reason: 'max-rounds', cells };
  if (adaptive.timeBudgetMs !== undefined && run.elapsedMs + (run.blockMs ?? 0) > adaptive.timeBudgetMs)
    return { kind: 'stop', reason: 'time-budget', cells };
  return { kind: 'continue', cells };
}

/** One metric of one (Scenario × User Agent × URL): count, mean and standard deviation of its values, one per Round. Null when it has none. */
export interface StopCell {
  metric: LatencyId;
  scenario: string;
  userAgent: string;
  url: string;
  rounds: SampleSummary | null;
}

/** Half the width of the t interval of the mean that a cell has after so many Rounds, in ms; null where there is none. */
export function halfWidthOf(
  { standardDeviation }: SampleSummary,
  { rounds, confidence }: { rounds: number; confidence: number },
): number | null {
  if (standardDeviation === null || rounds < 2) return null;
  return (tQuantile((1 + confidence) / 2, rounds - 1) * standardDeviation) / Math.sqrt(rounds);
}

/** The half-width that a cell is to reach, in ms. */
export function targetOf({ mean }: SampleSummary, target: StopTarget): number {
  return target.halfWidthMs ?? target.halfWidthRatio! * Math.abs(mean);
}

import { roundLimits, type Repetition } from '../../core/evaluation/rounds/repetition.ts';
import { halfWidthOf, targetOf, type StopCell } from '../../core/stop-rule/decide-stop.ts';
import { intervalConfidence } from '../../core/stop-rule/level-of-look.ts';

/** What an earlier Run of the same Evaluation, or a pilot, showed. */
export interface EarlierRun {
  repetition: Repetition;
  confidence: number;
  /** What a Block took there, in the mean. */
  blockMs: number;
  /** Of the metrics that the stop rule looks at. */
  cells: readonly StopCell[];
  /** How many it has beside these, of which nothing is known; none unless given. */
  unknownCells?: number;
}

export interface RunEstimate {
  /** Of each Scenario, without the warm-up. */
  rounds: number;
  durationMs: number;
  /** What it is expected to end for. */
  endsBy: 'fixed' | 'target' | 'max-rounds' | 'time-budget';
  /** The cell that takes the most Rounds, and how many; null with a fixed number of Rounds or when no cell has a spread to go by. */
  slowest: { cell: StopCell; rounds: number } | null;
}

/**
 * Rounds and time that a Run is going to take, from the spread of each cell in an earlier one: the fewest Rounds n with t(1 − α/2, n − 1) · s / √n at
 * most the target, for the cell that needs the most. An expectation, not a bound: s is itself an estimate, and a rough one from a few Rounds.
 */
export function estimateRun(earlier: EarlierRun): RunEstimate {
  const { repetition, blockMs, cells, unknownCells = 0 } = earlier;
  const confidence = intervalConfidence(repetition, earlier.confidence);
  const { minRounds, maxRounds } = roundLimits(repetition);
  const { adaptive, warmUp } = repetition;
  const warmUpBlocks = warmUp ? 1 : 0;
  const durationOf = (rounds: number) => (rounds + warmUpBlocks) * blockMs;
  if (!adaptive) return { rounds: maxRounds, durationMs: durationOf(maxRounds), endsBy: 'fixed', slowest: null };

  const needs = cells.flatMap((cell) => {
    const rounds = roundsFor(cell, { minRounds, maxRounds, confidence, target: adaptive.target });
    return rounds === null ? [] : [{ cell, rounds }];
  });
  const slowest = needs.reduce<{ cell: StopCell; rounds: number } | null>(
    (most, each) => (most === null || each.rounds > most.rounds ? each : most),
    null,
  );
  const wanted = needs.length < cells.length + unknownCells || slowest === null ? maxRounds + 1 : slowest.rounds;
  const affordable =
    adaptive.timeBudgetMs === undefined
      ? Infinity
      : Math.max(1, Math.floor(adaptive.timeBudgetMs / blockMs) - warmUpBlocks);
  const rounds = Math.min(wanted, maxRounds, affordable);
  return {
    rounds,
    durationMs: durationOf(rounds),
    endsBy: rounds === wanted ? 'target' : rounds === maxRounds ? 'max-rounds' : 'time-budget',
    slowest,
  };
}

/** The fewest Rounds with which the cell is expected to reach the target; maxRounds + 1 when even maxRounds do not; null when nothing is known of its spread. */
function roundsFor(
  cell: StopCell,
  options: { minRounds: number; maxRounds: number; confidence: number; target: Parameters<typeof targetOf>[1] },
): number | null {
  const { minRounds, maxRounds, confidence, target } = options;
  if (cell.rounds?.standardDeviation == null) return null;
  const targetMs = targetOf(cell.rounds, target);
  // The half-width falls with every Round, so the first that is narrow enough is found by halving.
  let [low, high] = [minRounds, maxRounds + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (halfWidthOf(cell.rounds, { rounds: middle, confidence })! <= targetMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

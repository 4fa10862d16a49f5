import { z } from 'zod';
import { latencyIds } from '../metrics/index.ts';
import type { StopDecision } from './decide-stop.ts';

/** A cell whose mean missed its target. */
export const MissedCellSchema = z.object({
  metric: z.enum(latencyIds),
  scenario: z.string(),
  userAgent: z.string(),
  url: z.string(),
  /** Rounds with a value. */
  rounds: z.number().int(),
  /** Null with fewer than two values. */
  halfWidthMs: z.number().nullable(),
  /** Null without values. */
  targetMs: z.number().nullable(),
});
export type MissedCell = z.infer<typeof MissedCellSchema>;

/** What the stop rule decided after a Block, and what it saw. */
export const BlockDecisionSchema = z.object({
  /** Counted Blocks by then. */
  blocks: z.number().int(),
  /** Null: continue. */
  stopReason: z.enum(['fixed', 'target', 'max-rounds', 'time-budget', 'added']).nullable(),
  elapsedMs: z.number(),
  /** What a Block took by then, in the mean. */
  blockMs: z.number().nullable(),
  /** Blocks that the Run is expected to have in the end, as far as is known by now. */
  blocksExpected: z.number().int(),
  /** That the stop rule looks at: none with a fixed number of Rounds. */
  cells: z.number().int(),
  /** Of these, the ones that are not exact enough; listed when the Run stops. */
  missed: z.array(MissedCellSchema),
  cellsMissed: z.number().int(),
});
export type BlockDecision = z.infer<typeof BlockDecisionSchema>;

/** What is kept of a decision. */
export function recordDecision(
  decision: StopDecision,
  seen: Pick<BlockDecision, 'blocks' | 'elapsedMs' | 'blockMs' | 'blocksExpected'>,
): BlockDecision {
  const missed = decision.cells.filter(({ isReached }) => !isReached);
  const isStop = decision.kind === 'stop';
  return {
    ...seen,
    blocksExpected: isStop ? seen.blocks : Math.max(seen.blocks + 1, seen.blocksExpected),
    stopReason: isStop ? decision.reason : null,
    cells: decision.cells.length,
    missed: isStop
      ? missed.map(({ metric, scenario, userAgent, url, rounds, halfWidthMs, targetMs }) => ({
          metric,
          scenario,
          userAgent,
          url,
          rounds: rounds?.count ?? 0,
          halfWidthMs,
          targetMs,
        }))
      : [],
    cellsMissed: missed.length,
  };
}

import { z } from 'zod';
import type { ValuesByBlock } from './counted-value.ts';

/** Of a Scenario, beside its figures. */
export const CountedRoundsSchema = z.object({
  scenario: z.string(),
  /** Rounds that were counted to their end. */
  roundsCounted: z.number().int(),
  roundsLeftOut: z.number().int(),
  /** Why the first of those was left out; null where none was. */
  leftOutReason: z.string().nullable(),
});

/** A Round with what was counted in it, or why nothing was. */
export interface CountedRound<Counts> {
  block: number;
  counted: { kind: 'counted'; counts: Counts } | { kind: 'absent'; reason: string };
}

/** Of those Rounds that were counted. */
export function listCounts<Counts>(rounds: readonly CountedRound<Counts>[]): { block: number; counts: Counts }[] {
  return rounds.flatMap(({ block, counted }) =>
    counted.kind === 'counted' ? [{ block, counts: counted.counts }] : [],
  );
}

/** Why the first of those that were not was not; null where all were. */
export function findAbsence(rounds: readonly CountedRound<unknown>[]): string | null {
  return rounds.flatMap(({ counted }) => (counted.kind === 'absent' ? [counted.reason] : []))[0] ?? null;
}

/** One figure of each Round. `read` returns null for a Round that lacks it, and `explain` says why, where all counted Rounds lack it. */
export function readValues<Counts>(
  rounds: readonly CountedRound<Counts>[],
  { read, explain }: { read: (counts: Counts) => number | null; explain: (counted: Counts[]) => string },
): ValuesByBlock {
  const counted = listCounts(rounds);
  if (counted.length === 0) return { kind: 'absent', reason: findAbsence(rounds) ?? 'No Round of it counts.' };
  const byBlock = new Map(
    counted.flatMap(({ block, counts }) => {
      const value = read(counts);
      return value === null ? [] : [[block, value] as const];
    }),
  );
  if (byBlock.size === 0) return { kind: 'absent', reason: explain(counted.map(({ counts }) => counts)) };
  return { kind: 'known', byBlock };
}

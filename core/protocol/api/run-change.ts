import { z } from 'zod';
import { PassProgressSchema, RoundProgressSchema, RunDetailSchema, type RunDetail } from './run.ts';

/** What of a Run differs from what was sent before, so that little is sent of a Run with many User Agents. */
export const RunChangeSchema = z.object({
  /** What changed of the Run itself, by name. */
  run: z.record(z.string(), z.unknown()),
  /** Rounds that are new, or of which more changed than some of their Passes. */
  rounds: z.array(RoundProgressSchema),
  /** Of the other Rounds, the Passes that changed. */
  passes: z.array(PassProgressSchema),
});
export type RunChange = z.infer<typeof RunChangeSchema>;

type Round = RunDetail['rounds'][number];

export function findRunChange(before: RunDetail, after: RunDetail): RunChange {
  const { rounds, ...run } = after;
  const known = new Map(before.rounds.map((round) => [round.id, round]));
  const changed: RunChange = { run: {}, rounds: [], passes: [] };
  for (const [name, value] of Object.entries(run))
    if (!isSame(value, before[name as keyof typeof run])) changed.run[name] = value;
  for (const round of rounds) {
    const was = known.get(round.id);
    if (!was || !haveSamePasses(was, round) || !isSame({ ...was, passes: [] }, { ...round, passes: [] }))
      changed.rounds.push(round);
    else changed.passes.push(...round.passes.filter((pass, index) => !isSame(pass, was.passes[index])));
  }
  return changed;
}

/** The Run with the change; the Rounds that are new come last. */
export function applyRunChange(before: RunDetail, { run, rounds, passes }: RunChange): RunDetail {
  const fresh = new Map(rounds.map((round) => [round.id, round]));
  const moved = new Map(passes.map((pass) => [pass.id, pass]));
  const kept = before.rounds.map((round) => {
    const changed = fresh.get(round.id);
    fresh.delete(round.id);
    return changed ?? { ...round, passes: round.passes.map((pass) => moved.get(pass.id) ?? pass) };
  });
  return RunDetailSchema.parse({ ...before, ...run, rounds: [...kept, ...fresh.values()] });
}

function haveSamePasses(one: Round, other: Round): boolean {
  return (
    one.passes.length === other.passes.length && one.passes.every(({ id }, index) => id === other.passes[index]!.id)
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

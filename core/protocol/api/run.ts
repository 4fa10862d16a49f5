import { z } from 'zod';
import { AddedRoundsSchema } from '../../evaluation/rounds/repetition.ts';
import { RunSummarySchema } from './run-summary.ts';
import { EvaluationSchema } from '../../evaluation/evaluation.ts';
import { FailureCodeSchema } from '../../metrics/failure-code.ts';
import { HostLoadSchema } from '../host-load.ts';
import { LinkCheckSchema } from '../link-check.ts';
import { StartSkewFields } from '../start-skew.ts';

export const RoundStateSchema = z.enum(['preparing', 'running', 'collecting', 'completed', 'broken']);
export type RoundState = z.infer<typeof RoundStateSchema>;

export const PassStateSchema = z.enum(['ordered', 'ready', 'running', 'ended', 'completed', 'lost']);
export type PassState = z.infer<typeof PassStateSchema>;

/** What became of the Visits that were uploaded of a Pass or a Round. */
const visitCounts = {
  visitsFailed: z.number().int(),
  visitsUnsettled: z.number().int(),
  /** Visits that were uploaded and can never be stored. */
  visitsRefused: z.number().int(),
  /** How many Visits failed, by why. */
  failures: z.partialRecord(FailureCodeSchema, z.number().int()),
};

export const PassProgressSchema = z.object({
  id: z.uuid(),
  userAgent: z.string(),
  agent: z.string(),
  state: PassStateSchema,
  visitsExpected: z.number().int(),
  visitsMade: z.number().int(),
  ...visitCounts,
  /** What is being loaded, or is about to be; null unless the Pass runs. */
  currentUrl: z.string().nullable(),
  /** The last Visit that ended, while the Pass is under way. */
  lastUrl: z.string().nullable(),
  lastTotalMs: z.number().nullable(),
  problem: z.string().nullable(),
  /** How busy its host was; null before its end, and where its Agent reported nothing. */
  hostLoad: HostLoadSchema.nullable(),
  /** Why there is no Capture of it; null when there is one. */
  captureAbsence: z.string().nullable(),
});

/** A place of one Round where packets were captured without a User Agent. */
export const RoundCapturePointSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  agent: z.string(),
  interface: z.string(),
  /** Empty: every packet. */
  filter: z.string(),
});

/** One try of one planned Round. */
export const RoundProgressSchema = z.object({
  id: z.string(),
  index: z.number().int(),
  block: z.number().int(),
  scenario: z.string(),
  warmUp: z.boolean(),
  attempt: z.number().int(),
  state: RoundStateSchema,
  problem: z.string().nullable(),
  ...StartSkewFields,
  /** Null where the Scenario has no emulated network. */
  linkCheck: LinkCheckSchema.nullable(),
  /** Of all its Passes. */
  totals: z
    .object({ visitsMade: z.number().int(), ...visitCounts })
    .default({ visitsMade: 0, visitsFailed: 0, visitsUnsettled: 0, visitsRefused: 0, failures: {} }),
  /** Empty where only those of the current Round were asked for, and this is another. */
  passes: z.array(PassProgressSchema),
  capturePoints: z.array(RoundCapturePointSchema),
});
export type RoundProgress = z.infer<typeof RoundProgressSchema>;

export const ScriptPhaseSchema = z.enum(['set-up', 'after-network', 'process', 'tear-down']);

/** What a script or a process of a Scenario did in a Round. */
export const ScriptExecutionSchema = z.object({
  roundId: z.string(),
  phase: ScriptPhaseSchema,
  /** Of a process. */
  name: z.string().optional(),
  host: z.string(),
  /** Null of a process. */
  exitCode: z.number().int().nullable(),
  isTimedOut: z.boolean(),
  /** Of a process: until it was ready. */
  durationMs: z.number(),
  output: z.string(),
  /** Why a process was lost, or never ready. */
  problem: z.string().optional(),
});
export type ScriptExecution = z.infer<typeof ScriptExecutionSchema>;

/** A Run with all that its page shows while it is open. */
export const RunDetailSchema = RunSummarySchema.extend({
  seed: z.number().int(),
  evaluation: EvaluationSchema,
  /** In the order in which they were added. */
  added: z.array(AddedRoundsSchema).default([]),
  plan: z.array(
    z.object({
      index: z.number().int(),
      /** 0: as the Evaluation declares; n: of the Rounds that were added the n-th time. */
      addition: z.number().int().default(0),
      block: z.number().int(),
      scenario: z.string(),
      warmUp: z.boolean(),
    }),
  ),
  rounds: z.array(RoundProgressSchema),
  scripts: z.array(ScriptExecutionSchema),
  /** Agents that the Run needs and that are connected to no Controller now. */
  missingAgents: z.array(z.string()),
  /** Which full disk, or store of artefacts that is away, the Run waits for, and what to do; null when there is room. */
  diskProblem: z.string().nullable().default(null),
});
export type RunDetail = z.infer<typeof RunDetailSchema>;

/**
 * Milliseconds that a Run still takes when its remaining Rounds last as long as those before them; null before the first has ended. The Round under way counts by
 * its Visits: without that, the time left would rise until the Round ends. Its start counts as one Visit more.
 */
export function estimateTimeLeftMs(
  {
    roundsCompleted,
    roundsPlanned,
    rounds,
  }: Pick<RunDetail, 'roundsCompleted' | 'roundsPlanned'> & {
    rounds: readonly {
      state: RunDetail['rounds'][number]['state'];
      passes: readonly { visitsMade: number; visitsExpected: number }[];
    }[];
  },
  elapsedMs: number,
): number | null {
  if (roundsCompleted === 0) return null;
  const passes = rounds.filter(({ state }) => state === 'running').flatMap((round) => round.passes);
  const made = passes.reduce((sum, { visitsMade }) => sum + visitsMade, 0);
  const expected = passes.reduce((sum, { visitsExpected }) => sum + visitsExpected, 0);
  const done = roundsCompleted + (expected === 0 ? 0 : (made + 1) / (expected + 1));
  return (elapsedMs / done) * Math.max(0, roundsPlanned - done);
}

/** What of a Run differs from what was sent before, so that little is sent of a Run with many User Agents. */
export const RunChangeSchema = z.object({
  /** What changed of the Run itself, by name. */
  run: z.record(z.string(), z.unknown()),
  /** Rounds that are new, or of which more changed than some of their Passes. */
  rounds: z.array(RoundProgressSchema),
  /** Of the other Rounds, the Passes that changed. */
  passes: z.array(PassProgressSchema),
});
type RunChange = z.infer<typeof RunChangeSchema>;

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

import { z } from 'zod';
import { latencyIds } from '../../metrics/index.ts';
import { verdicts, type Verdict } from '../latencies/contrast.ts';

/** A Scenario against its baseline in the primary metric, as the headline of the Comparison states it. */
const ComparedOutcomeSchema = z.object({
  kind: z.literal('compared'),
  /** In a few words: `HTTP/2 takes 12 % less time (9–15 %)`. */
  text: z.string(),
  metric: z.enum(latencyIds),
  scenario: z.string(),
  baseline: z.string(),
  verdict: z.enum(verdicts),
  /** The reduction and the interval that decides the verdict; null where there is none. Above 0 the Scenario is faster. */
  ratio: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Of that interval; null without one. */
  confidence: z.number().nullable(),
  /** The declared margin: equivalent when the ratio of latencies is between 1 − this and 1 / (1 − this). Null with fewer than two pairs. */
  margin: z.number().nullable(),
  /** How many more Scenarios were compared with a baseline. */
  otherScenarios: z.number().int(),
});
export type ComparedOutcome = z.infer<typeof ComparedOutcomeSchema>;

/** What came out of a Run, for lists. */
export const RunOutcomeSchema = z.discriminatedUnion('kind', [
  ComparedOutcomeSchema,
  /** Nothing was compared. */
  z.object({ kind: z.literal('none'), text: z.string() }),
]);
export type RunOutcome = z.infer<typeof RunOutcomeSchema>;

/** Kinds of outcomes to look for. */
export const outcomeKinds = ['faster', 'slower', 'equivalent', 'undecided', 'none'] as const;
export const OutcomeKindSchema = z.enum(outcomeKinds, {
  error: 'must be "faster", "slower", "equivalent", "undecided" or "none"',
});
export type OutcomeKind = z.infer<typeof OutcomeKindSchema>;

/** Which of them an outcome is. */
export function kindOfOutcome(outcome: RunOutcome): OutcomeKind {
  if (outcome.kind === 'none') return 'none';
  return kindOfVerdict(outcome.verdict);
}

/** The verdicts of outcomes of a kind; `none` where nothing was compared. */
export function verdictsOf(kind: OutcomeKind): (Verdict | 'none')[] {
  return kind === 'none' ? ['none'] : verdicts.filter((verdict) => kindOfVerdict(verdict) === kind);
}

function kindOfVerdict(verdict: Verdict): OutcomeKind {
  return verdict === 'faster' || verdict === 'slower' || verdict === 'equivalent' ? verdict : 'undecided';
}

import { z } from 'zod';
import { RunOutcomeSchema } from '../../comparison/outcome/run-outcome.ts';
import { AwaitedRunSchema } from '../meeting.ts';
import { AnnotationFields } from './annotation.ts';
import { RunLabelsSchema } from './run-labels.ts';

export const RunStateSchema = z.enum(['pending', 'running', 'stopping', 'completed', 'stopped', 'failed']);
export type RunState = z.infer<typeof RunStateSchema>;

/** Whether a Run can still change. */
export function isOpen(state: RunState): boolean {
  return state === 'pending' || state === 'running' || state === 'stopping';
}

const Time = z.iso.datetime({ offset: true });

/** A Run as lists show it. */
export const RunSummarySchema = z.object({
  id: z.string(),
  evaluationId: z.string(),
  evaluationName: z.string(),
  /** The Run whose Evaluation that of this one is a change of; null where it is no such change. */
  changedFromRun: z.string().nullable().default(null),
  state: RunStateSchema,
  /** Since when it is paused: it ends the Round under way, and begins no other until it is resumed. Null while it is not. */
  pausedAt: Time.nullable(),
  /** How long it was paused since it started, in pauses that are over. */
  pausedMs: z.number().nonnegative(),
  /** Why it failed; null otherwise. */
  problem: z.string().nullable(),
  createdAt: Time,
  startedAt: Time.nullable(),
  /** While added Rounds wait for their turn, when it ended before them. */
  endedAt: Time.nullable(),
  /** Of a Run whose stop rule decides: as many as are expected by now. */
  roundsPlanned: z.number().int(),
  roundsCompleted: z.number().int(),
  visits: z.number().int(),
  failedVisits: z.number().int(),
  labels: RunLabelsSchema.default({}),
  /** The Runs that must end before it begins, and what it shares with each. */
  waitsFor: z.array(AwaitedRunSchema).default([]),
  /** What came out, as its Comparison states it; null while the Run is open, and until it is computed. */
  outcome: RunOutcomeSchema.nullable().default(null),
  /** When the retention setting deleted its Snapshots; null while it has them. */
  snapshotsDeletedAt: Time.nullable().default(null),
  /** The same of its Visits: its means, reductions and outcome are kept. */
  visitsDeletedAt: Time.nullable().default(null),
  ...AnnotationFields,
});
export type RunSummary = z.infer<typeof RunSummarySchema>;

/** How long a Run has taken by now, or took, without its pauses; null before it has started. */
export function measuringMs(
  { startedAt, endedAt, pausedAt, pausedMs }: Pick<RunSummary, 'startedAt' | 'endedAt' | 'pausedAt' | 'pausedMs'>,
  nowEpochMs: number,
): number | null {
  if (startedAt === null) return null;
  const until = endedAt ?? pausedAt;
  return Math.max(0, (until === null ? nowEpochMs : Date.parse(until)) - Date.parse(startedAt) - pausedMs);
}

import { z } from 'zod';

const Time = z.iso.datetime({ offset: true });

/** The most Rounds of each Scenario that are added at once. */
export const mostAddedRounds = 1000;

/** The most times that Rounds are added to a Run. */
export const mostAdditions = 20;

/** Rounds that were added to a Run after it had ended, and so after its result could be seen: a Block each, without the warm-up. */
export const AddedRoundsSchema = z.object({
  firstBlock: z.number().int().min(1),
  /** As requested: fewer were measured where the Run was stopped, and Rounds were added again. */
  blocks: z.number().int().min(1),
  /** Null where it was not kept. */
  requestedBy: z.string().nullable(),
  requestedAt: Time,
  /** Null while they wait for their turn. */
  startedAt: Time.nullable(),
  /** When the Rounds before them ended. */
  endedBefore: Time,
});
export type AddedRounds = z.infer<typeof AddedRoundsSchema>;

import { z } from 'zod';

const TruthSchema = z.object({
  truth: z.object({
    firstRequestEpochMs: z.number(),
    baseMs: z.number(),
    viewportMs: z.number(),
    totalMs: z.number(),
    viewportObjects: z.array(z.string()),
    totalObjects: z.array(z.string()),
  }),
});
export type Truth = z.infer<typeof TruthSchema>['truth'];

/** What an origin saw of one Visit that has ended. */
export async function readTruth({ httpUrl }: { httpUrl: string }, visitId: string): Promise<Truth> {
  const response = await fetch(`${httpUrl}/__truth?visit=${visitId}`);
  return TruthSchema.parse(await response.json()).truth;
}

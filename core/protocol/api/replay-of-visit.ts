import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import type { ReplayComparison } from '../../site/compare-replay.ts';

const Compared = z.object({ recorded: z.number(), replayed: z.number().nullable() });
const Latency = z.object({ recordedMs: z.number().nullable(), replayedMs: z.number().nullable() });
const Urls = z.array(z.string());

const ReplayComparisonSchema: z.ZodType<ReplayComparison> = z.object({
  objects: Compared,
  bytes: Compared,
  hosts: Compared,
  connections: Compared.nullable(),
  orderRatio: z.number().nullable(),
  latencies: z.object({ baseMs: Latency, viewportMs: Latency, totalMs: Latency }),
  inexact: Urls,
  misses: Urls,
  unknownHosts: Urls,
  missing: Urls,
  webSockets: Urls,
  score: z.number(),
});

/** How like its recording the page of a Visit was, or why that is not known. */
export const ReplayOfVisitSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('compared'),
    site: z.object({ id: z.uuid(), name: NameSchema }),
    page: z.number().int(),
    comparison: ReplayComparisonSchema,
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type ReplayOfVisit = z.infer<typeof ReplayOfVisitSchema>;

/** Of each page of a Site, User Agent and Scenario the newest measured Visit, compared with the recording. */
export const ReplaysOfRunSchema = z.object({
  replays: z.array(
    z.object({
      visitId: z.uuid(),
      url: z.string(),
      userAgent: z.string(),
      scenario: z.string(),
      replay: ReplayOfVisitSchema,
    }),
  ),
  /** Whether there are more than these. */
  hasMore: z.boolean(),
});
export type ReplaysOfRun = z.infer<typeof ReplaysOfRunSchema>;

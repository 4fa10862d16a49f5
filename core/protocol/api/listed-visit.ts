import { z } from 'zod';
import { FailureCodeSchema } from '../../metrics/failure-code.ts';

/** A Visit as lists show it. */
export const ListedVisitSchema = z.object({
  id: z.uuid(),
  block: z.number().int(),
  scenario: z.string(),
  /** The page, and the address that it was loaded from in this Scenario. */
  url: z.string(),
  address: z.string(),
  userAgent: z.string(),
  repetition: z.number().int(),
  startedAt: z.iso.datetime({ offset: true }),
  status: z.enum(['ok', 'failed']),
  /** Why it failed; null when it did not. */
  code: FailureCodeSchema.nullable(),
  /** Null when nothing was seen of the page. */
  isSettled: z.boolean().nullable(),
  isHidden: z.boolean().nullable(),
  /** How many of its objects failed; null where it failed itself, and where it is not known. */
  failedObjects: z.number().int().nullable(),
  /** Why it is left out of the statistics; null where it is not. */
  exclusionReason: z.string().nullable(),
  baseMs: z.number().nullable(),
  viewportMs: z.number().nullable(),
  totalMs: z.number().nullable(),
});
export type ListedVisit = z.infer<typeof ListedVisitSchema>;

/** Which Visits are looked for, by how they ended or what was decided of them. One that is excluded is found by that alone, so that the others are as many as the report counts. */
export const VisitStatusSchema = z.enum(['ok', 'failed', 'failed-objects', 'unsettled', 'hidden', 'excluded'], {
  error: 'must be "ok", "failed", "failed-objects", "unsettled", "hidden" or "excluded"',
});
export type VisitStatus = z.infer<typeof VisitStatusSchema>;

/** What the list of Visits can be sorted by. */
export const visitSorts = [
  'block',
  'scenario',
  'user-agent',
  'url',
  'started',
  'state',
  'base',
  'viewport',
  'total',
] as const;
export const VisitSortSchema = z.enum(visitSorts, { error: `must be one of ${visitSorts.join(', ')}` });
export type VisitSort = z.infer<typeof VisitSortSchema>;

/** A limit of latency in an address, in ms. */
export const LatencyLimitSchema = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a number of milliseconds')
  .transform(Number);

/** Some of the Visits of a Run, or of one cell of its report, and where the next ones begin; null after the last. */
export const VisitPageSchema = z.object({ visits: z.array(ListedVisitSchema), next: z.string().nullable() });
export type VisitPage = z.infer<typeof VisitPageSchema>;

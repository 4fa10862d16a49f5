import { z } from 'zod';

/** Instants are kept to whole microseconds, so that no bound of their error is smaller. Of one clock it is 0: its own error cancels out. */
export const leastErrorMs = 0.001;

const ms = z.number().nullable().default(null);

/**
 * How far apart the User Agents of a Round began, each less its intended offset, on the Controller's clock, each with the bound of its error that the clocks give. Null where that is not known.
 */
export const StartSkewFields = {
  /** Between the first and the last engine that was ordered to load its first page. */
  startSkewMs: z.number().nullable(),
  startSkewErrorMs: ms,
  /** Between the first requests sent for the first pages; the error covers the engines too. */
  firstRequestSkewMs: ms,
  firstRequestSkewErrorMs: ms,
  /** Between the first packets that went to the first pages, as captured on the User Agents' interfaces. */
  firstPacketSkewMs: ms,
  firstPacketSkewErrorMs: ms,
  /** In step: between the first requests of a page after the first, the largest of all these pages. */
  pageSkewMs: ms,
  pageSkewErrorMs: ms,
};
export const StartSkewSchema = z.object(StartSkewFields);
export type StartSkew = z.infer<typeof StartSkewSchema>;

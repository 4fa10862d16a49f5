import { z } from 'zod';
import { durationMs, wholeNumber } from './units.ts';

/** How every page is loaded, and when it counts as settled. */
export const PageLoadSchema = z.strictObject({
  /**
   * `cold`: the browser cache is cleared and every connection closed before each Visit. `warm`: a Pass keeps its cache and
   * connections, and each URL is loaded once unmeasured before it is measured.
   */
  cache: z.enum(['cold', 'warm'], { error: 'must be "cold" or "warm"' }).default('cold'),
  /** How often a Pass visits each URL in succession. */
  visitsPerUrl: wholeNumber({ min: 1, max: 100 }).default(1),
  /** The hard cap of one Visit, from navigation start. */
  timeoutMs: durationMs({ min: 500, max: 600_000 }).default(30_000),
  /** How long nothing may be in flight before the page counts as settled. */
  quietMs: durationMs({ min: 50, max: 60_000 }).default(500),
  /** The least rest before each Visit, so that the browser's own preparation is over. It is longer over a long link: see VisitRest. */
  restMs: durationMs({ min: 0, max: 600_000 }).default(400),
  viewport: z
    .strictObject({ widthPx: wholeNumber({ min: 200, max: 7680 }).default(1366), heightPx: wholeNumber({ min: 200, max: 4320 }).default(768) })
    .prefault({}),
});

export type PageLoad = z.infer<typeof PageLoadSchema>;

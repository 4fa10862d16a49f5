import { z } from 'zod';

/** The values of a Snapshot, and how large each may be. */

export const Count = z.number().int().nonnegative();
/** So wide that no clock is outside, and so narrow that sums of them are instants that a date can hold. */
export const longestMs = 1e13;
export const latestEpochMs = 8e15;
/** Of bytes and areas: integers beyond are not exact. */
export const Amount = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
export const Ms = z.number().min(-longestMs).max(longestMs);
export const EpochMs = z.number().positive().max(latestEpochMs);
export const maximumUrlCharacters = 65_536;
export const Url = z.string().max(maximumUrlCharacters);

/** How long the server says that it took for the answer (`readServerTiming`). Left out where it says nothing, and in Snapshots of older Agents. */
export const ServerMs = z.number().positive().max(longestMs);

/** Of one page. A Visit of a page with more fails as `too-large`. */
export const mostFrames = 10_000;
export const mostRequests = 50_000;

import { z } from 'zod';
import { MarkNameSchema } from '../evaluation/pages/page-mark.ts';
import { FrameSnapshotSchema } from './frame-snapshot.ts';
import { NetworkRequestSchema } from './network-request.ts';
import { Amount, Count, EpochMs, longestMs, mostFrames, mostRequests, Url } from './snapshot-bounds.ts';

const mostEventNames = 200;

/**
 * What kept a Visit of the `extension` engine from what was loaded before: an incognito window or a container of its own, with new
 * connections; a cleared cache, with connections that may be open still; nothing (`shared`), as a warm Pass wants it, and a later Visit of a Pass that keeps its cache.
 */
export const IsolationSchema = z.enum(['incognito', 'container', 'cache-cleared', 'shared']);
export type Isolation = z.infer<typeof IsolationSchema>;

/**
 * What a Visit is kept with though it is not as exact as others: `incomplete-requests`: requests that the browser reported with values that are none; `unread-bodies`: answers that no script read, whose
 * end is the last byte seen, or not known; `unused-hints`: addresses of early hints that the browser reports nothing of, and may have fetched; `silent-frames`: frames that did not answer, of whose
 * objects only the network events are known; `unassigned-scripts`: scripts that may be the page's, and count for none, as the browser does not say whose they are; `replay-misses`: more than 1 % of the
 * requests of a replayed page had no like in its recording.
 */
const VisitRemarkSchema = z.object({
  code: z.enum([
    'incomplete-requests',
    'unread-bodies',
    'unused-hints',
    'silent-frames',
    'unassigned-scripts',
    'replay-misses',
  ]),
  detail: z.string().max(4096),
});
export type VisitRemark = z.infer<typeof VisitRemarkSchema>;

/** Of a page of a recorded Site: what its scripts see that others do not. */
export const ReplayedPageSchema = z.object({
  /** The date as the page begins to load: when it was recorded. */
  recordedEpochMs: EpochMs,
});
export type ReplayedPage = z.infer<typeof ReplayedPageSchema>;

/**
 * What the probe and the engine saw of one page load: raw entries, never trimmed, their times to whole microseconds. Field names and
 * units of the timing entries are those of the specifications they come from; their times are milliseconds from their frame's
 * `timeOrigin`, which is itself in epoch milliseconds, so that frames share one clock.
 */
export const SnapshotSchema = z.object({
  version: z.literal(1),
  requestedUrl: Url,
  /** The mark that the Visit waited for; left out where there was none to wait for. */
  untilMark: MarkNameSchema.optional(),
  /** Left out of a page that was not replayed. */
  replay: ReplayedPageSchema.optional(),
  /** Left out by the engines that always make a new browser context for a cold Visit. */
  isolation: IsolationSchema.optional(),
  /** Null for an engine that lays no page out and paints nothing: it has no viewport. */
  viewport: z.object({ widthPx: Count, heightPx: Count }).nullable(),
  /** Whether load had fired, nothing was in flight and all was quiet, before the hard cap. */
  settled: z.boolean(),
  /**
   * The page's documents, one after another, from the first request: more than one where it led itself elsewhere. `startEpochMs`: when the browser began to load it, where it says so.
   * Left out by engines that run no scripts, and in Snapshots of older Agents.
   */
  documents: z
    .array(z.object({ url: Url, startEpochMs: EpochMs.nullable() }))
    .max(1000)
    .optional(),
  /** What to know before believing these figures. Left out where there is nothing. */
  remarks: z.array(VisitRemarkSchema).max(100).optional(),
  /** When the Snapshot was taken. */
  takenEpochMs: EpochMs,
  frames: z
    .array(FrameSnapshotSchema)
    .max(mostFrames)
    .refine(
      (frames) => frames.some(({ path }) => path.length === 0),
      'must include the frame of the page itself, with the path []',
    ),
  requests: z.array(NetworkRequestSchema).max(mostRequests),
  /**
   * CPU time of the page's main thread from navigation start until the Snapshot was taken: of each kind of trace event without those within it. A page in several processes, one after another, has that
   * of all; frames in processes of their own have none. Left out where nobody asked for it, and in Snapshots of older Agents.
   */
  mainThread: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('recorded'),
        events: z
          .array(z.object({ name: z.string().max(64), cpuMs: z.number().nonnegative().max(longestMs) }))
          .max(mostEventNames),
      }),
      z.object({ kind: z.literal('absent'), reason: z.string().max(1024) }),
    ])
    .optional(),
  /** What servers pushed and the page did not ask for, as far as it came. Left out by engines that take no pushes. */
  unusedPushes: z.object({ count: Count, bytes: Amount }).optional(),
});

export type Snapshot = z.infer<typeof SnapshotSchema>;

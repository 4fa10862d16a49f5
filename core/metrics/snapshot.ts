import { z } from 'zod';
import { MarkNameSchema } from '../evaluation/pages/page-mark.ts';

/**
 * What the probe and the engine saw of one page load: raw entries, never trimmed, their times to whole microseconds. Field names and
 * units of the timing entries are those of the specifications they come from; their times are milliseconds from their frame's
 * `timeOrigin`, which is itself in epoch milliseconds, so that frames share one clock.
 */

const Count = z.number().int().nonnegative();
/** So wide that no clock is outside, and so narrow that sums of them are instants that a date can hold. */
const longestMs = 1e13;
const latestEpochMs = 8e15;
/** Of bytes and areas: integers beyond are not exact. */
const Amount = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
const Ms = z.number().min(-longestMs).max(longestMs);
const EpochMs = z.number().positive().max(latestEpochMs);
export const maximumUrlCharacters = 65_536;
const Url = z.string().max(maximumUrlCharacters);

/** How long the server says that it took for the answer (`readServerTiming`). Left out where it says nothing, and in Snapshots of older Agents. */
const ServerMs = z.number().positive().max(longestMs);

/** https://w3c.github.io/resource-timing/#sec-performanceresourcetiming; a time of 0 is one that the browser does not show. */
const timingFields = {
  name: Url,
  startTime: Ms,
  redirectStart: Ms,
  redirectEnd: Ms,
  fetchStart: Ms,
  domainLookupStart: Ms,
  domainLookupEnd: Ms,
  connectStart: Ms,
  connectEnd: Ms,
  secureConnectionStart: Ms,
  requestStart: Ms,
  /** After an interim answer, such as a 103, that answer's. */
  responseStart: Ms,
  /** There only after an interim answer, in browsers that report it. */
  finalResponseHeadersStart: Ms.optional(),
  responseEnd: Ms,
  nextHopProtocol: z.string().max(64),
  transferSize: Count,
  encodedBodySize: Count,
  decodedBodySize: Count,
  /** Null where the browser does not report it. */
  responseStatus: Count.nullable(),
  serverMs: ServerMs.optional(),
};

export const ResourceEntrySchema = z.object({
  ...timingFields,
  initiatorType: z.string().max(64),
  /** Null where the browser does not report it. */
  renderBlockingStatus: z.enum(['blocking', 'non-blocking']).nullable(),
  /** When an element had loaded it; left out where the entry ends after it began, and where none was seen to. */
  elementEventMs: Ms.optional(),
});

/** https://w3c.github.io/navigation-timing/#sec-PerformanceNavigationTiming */
export const NavigationEntrySchema = z.object({
  ...timingFields,
  type: z.string().max(64),
  redirectCount: Count,
  domInteractive: Ms,
  domContentLoadedEventStart: Ms,
  domContentLoadedEventEnd: Ms,
  loadEventStart: Ms,
  loadEventEnd: Ms,
  /** When a page that was loaded ahead was shown; left out of any other. https://wicg.github.io/nav-speculation/prerendering.html#performance-navigation-timing-extension */
  activationStart: Ms.optional(),
  /** `performance.timing.responseEnd` (epoch ms): right where Firefox's entry repeats `responseStart`. Null where absent. */
  legacyResponseEndEpochMs: z.number().nonnegative().max(latestEpochMs).nullable(),
});

/** An object that the initial viewport needs, as found in one frame when the page had settled. */
export const ViewportNeedSchema = z.object({
  kind: z.enum(['image', 'svg-image', 'poster', 'embedded', 'css-image', 'font', 'style-sheet', 'script', 'frame']),
  url: Url,
  /** Visible area; null for what is needed without an area of its own (fonts, style sheets, scripts). */
  areaPx: Amount.nullable(),
  /** When the element's own load or error event fired; null when it did not or was not seen. */
  elementEventMs: Ms.nullable(),
  failed: z.boolean(),
  /** Whether an image was still loading. */
  pending: z.boolean(),
  /** For `frame`: its index among `window.frames` of the frame that contains it; null when that list does not have it (shadow trees). */
  frameIndex: Count.nullable(),
});

/** https://wicg.github.io/layout-instability/#sec-layout-shift */
const LayoutShiftSchema = z.object({
  startTime: Ms,
  /** Impact fraction times distance fraction. */
  value: z.number().min(0).max(10),
  /** Within 500 ms of an input, which such a shift may answer. */
  hadRecentInput: z.boolean(),
});

/** A task of more than 50 ms. https://w3c.github.io/longtasks/#sec-PerformanceLongTaskTiming */
const LongTaskSchema = z.object({ startTime: Ms, duration: z.number().nonnegative().max(longestMs) });
const mostEntries = 5000;
const mostEventNames = 200;

/** Of one page. A Visit of a page with more fails as `too-large`. */
export const mostFrames = 10_000;
export const mostRequests = 50_000;

/** What one event of an interaction took, to the next paint. https://w3c.github.io/event-timing/ */
const InteractionSchema = z.object({
  /** `interactionId`: the same for all events of one interaction. */
  id: Count,
  startTime: Ms,
  duration: z.number().nonnegative().max(longestMs),
});

/** https://w3c.github.io/user-timing/ */
const UserTimingSchema = z.object({
  kind: z.enum(['mark', 'measure']),
  name: z.string().max(1024),
  startTime: Ms,
  duration: z.number().min(-longestMs).max(longestMs),
  /** Where it is a number or a text. */
  detail: z.union([z.number(), z.string().max(1024)]).optional(),
});

export const FrameSnapshotSchema = z.object({
  /** The place of the frame in the page: [] is the page itself, [2, 0] the first frame in its third; null for one in a shadow tree. */
  path: z.array(Count.nullable()).max(64),
  url: Url,
  title: z.string().max(1024),
  timeOrigin: EpochMs,
  visibilityState: z.string().max(64),
  wasEverHidden: z.boolean(),
  navigation: NavigationEntrySchema.nullable(),
  /** Paint Timing entries by name; null when the frame did not paint. https://w3c.github.io/paint-timing/ */
  firstPaintMs: Ms.nullable(),
  firstContentfulPaintMs: Ms.nullable(),
  /** `renderTime`, else `loadTime`, of the last candidate. https://w3c.github.io/largest-contentful-paint/ */
  largestContentfulPaintMs: Ms.nullable(),
  /** Of its image; null for text. Left out where there is no candidate, and in Snapshots of older Agents. */
  largestContentfulPaintUrl: Url.nullable().optional(),
  /** Of the page itself; left out where the browser does not report them, where there are more, and in Snapshots of older Agents. */
  layoutShifts: z.array(LayoutShiftSchema).max(mostEntries).optional(),
  /** Likewise: those of the page's thread, which runs its frames of the same process too. */
  longTasks: z.array(LongTaskSchema).max(mostEntries).optional(),
  /** Of the page itself, the last ones of more; left out where there are none. */
  userTimings: z.array(UserTimingSchema).max(mostEntries).optional(),
  /** Likewise: events of 16 ms and more, and the first input. Those of a journey's steps came after the page had settled. */
  interactions: z.array(InteractionSchema).max(mostEntries).optional(),
  /** How many interactions there were, those of shorter events included; left out where the browser does not count them. */
  interactionCount: Count.optional(),
  resources: z.array(ResourceEntrySchema).max(50_000),
  /** URLs of `<link rel=prefetch>`: their entries look like any other's. */
  prefetchUrls: z.array(Url).max(10_000),
  /** Null when the browser did not report what intersects the viewport, as for a hidden page. */
  viewportNeeds: z.array(ViewportNeedSchema).max(50_000).nullable(),
  /** Style sheets whose rules the page may not read. */
  opaqueStyleSheets: z.array(Url).max(10_000),
  /** Web fonts that visible text uses and no readable style sheet declares: their files are known to the engine only. */
  undeclaredFontFamilies: z.array(z.string().max(1024)).max(10_000),
  /** Every font file that a readable style sheet declares: none of these is a file of an undeclared family. */
  declaredFontUrls: z.array(Url).max(10_000),
});

/** Which list of a frame's report is longer than a Snapshot takes; null for any other reason not to take it. */
export function describeExcessOf(error: unknown): string | null {
  if (!(error instanceof z.ZodError)) return null;
  const issue = error.issues.find(({ code, path }) => code === 'too_big' && path.length === 1);
  if (issue?.code !== 'too_big' || issue.origin !== 'array') return null;
  return `A frame of the page has more than ${issue.maximum} ${String(issue.path[0])}, which is more than a Snapshot takes`;
}

const HeaderSchema = z.object({ name: z.string().max(256), value: z.string().max(8192) });

const PhaseSchema = z.tuple([EpochMs, EpochMs]).nullable();

/** What a HAR has of a request beside its times of sending and receiving. No metric is made from it. */
export const ExchangeSchema = z.object({
  method: z.string().max(64),
  /** Null where there was no answer. */
  statusText: z.string().max(1024).nullable(),
  mimeType: z.string().max(256).nullable(),
  /** IPv4 or IPv6; null where the engine does not report it, or a proxy hides it. */
  serverAddress: z.string().max(64).nullable(),
  /** Start and end; null for a phase that did not take place, as on a connection that was open. That of TLS is part of `connect`. */
  phases: z.object({ dns: PhaseSchema, connect: PhaseSchema, tls: PhaseSchema, send: PhaseSchema }),
  /** Without the values of secret ones (`redactHeaders`); null unless the Evaluation asks for HARs. */
  headers: z.object({ request: z.array(HeaderSchema).max(1000), response: z.array(HeaderSchema).max(1000) }).nullable(),
  /** Bytes of the request as it was sent. Left out by engines, and in Snapshots of Agents, that do not report them. */
  sentBytes: z.object({ head: Amount.nullable(), body: Amount.nullable() }).optional(),
});

/**
 * What showed the end of a request that no network event showed: all bytes that its head had announced; the page's own timing entry; the last data of a body that nobody read;
 * the end of its worker or of its frame's process; another document in place of the one that asked. `never`: nobody read it, and nothing shows when it ended.
 */
export const EndSourceSchema = z.enum([
  'network',
  'length',
  'probe',
  'last-data',
  'target-gone',
  'document-replaced',
  'never',
]);
export type EndSource = z.infer<typeof EndSourceSchema>;

/** One request as the engine's network events report it (CDP, WebDriver BiDi, webRequest), on the clock of the frames. */
export const NetworkRequestSchema = z.object({
  /** Same for every hop of one redirect chain. */
  id: z.string().max(256),
  hop: Count,
  url: Url,
  type: z.enum([
    'document',
    'style-sheet',
    'script',
    'image',
    'font',
    'media',
    'fetch',
    'event-source',
    'web-socket',
    'ping',
    'prefetch',
    'preflight',
    'manifest',
    'icon',
    'other',
  ]),
  isMainDocument: z.boolean(),
  /** Null where the engine does not report it. */
  isRenderBlocking: z.boolean().nullable(),
  initiatorUrl: Url.nullable(),
  startEpochMs: EpochMs,
  /** First byte of the request sent; null when it never was, or came from the cache. */
  sentEpochMs: EpochMs.nullable(),
  responseEpochMs: EpochMs.nullable(),
  serverMs: ServerMs.optional(),
  /** Last byte received, or the failure; null while it was in flight when the Snapshot was taken. */
  endEpochMs: EpochMs.nullable(),
  /** Left out where a network event showed the end, where there is none yet, and in Snapshots of older Agents. */
  endedBy: EndSourceSchema.optional(),
  /** Of a request that the browser reported with values that are none; they are left out. Left out of any other. */
  isIncomplete: z.literal(true).optional(),
  failure: z.string().max(1024).nullable(),
  status: Count.nullable(),
  protocol: z.string().max(64).nullable(),
  /** The transport connection that carried it; null when the engine does not report it or none did. */
  connectionId: z.string().max(256).nullable(),
  /**
   * Whether that connection had brought an answer before, to this page or an earlier one. Null where the browser reports this neither here nor by the
   * times of its entries; left out where these times are enough: then a connection without a length was kept.
   */
  isConnectionReused: z.boolean().nullable().optional(),
  fromCache: z.boolean(),
  /** A replay had nothing recorded to answer it by. */
  isReplayMiss: z.literal(true).optional(),
  /** Whether the server pushed it: it began with the promise, and was never sent. Left out where it did not. */
  isPushed: z.boolean().optional(),
  /** Bytes of header and body as they came over the connection. */
  receivedBytes: Amount.nullable(),
  /** Of these, the bytes of the body before decompression. Left out where they are not known apart, and in Snapshots of older Agents. */
  receivedBodyBytes: Amount.optional(),
  /** Bytes of the body after decompression, as far as it came. */
  decodedBytes: Amount.nullable(),
  /** Left out by engines, and in Snapshots of Agents, that do not report it. */
  exchange: ExchangeSchema.optional(),
});

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

export type ResourceEntry = z.infer<typeof ResourceEntrySchema>;
export type NavigationEntry = z.infer<typeof NavigationEntrySchema>;
export type ViewportNeed = z.infer<typeof ViewportNeedSchema>;
export type FrameSnapshot = z.infer<typeof FrameSnapshotSchema>;
export type Exchange = z.infer<typeof ExchangeSchema>;
export type Header = z.infer<typeof HeaderSchema>;
export type UserTiming = z.infer<typeof UserTimingSchema>;
export type Interaction = z.infer<typeof InteractionSchema>;
export type LayoutShift = z.infer<typeof LayoutShiftSchema>;
export type NetworkRequest = z.infer<typeof NetworkRequestSchema>;
export type Snapshot = z.infer<typeof SnapshotSchema>;

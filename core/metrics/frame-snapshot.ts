import { z } from 'zod';
import { Amount, Count, EpochMs, latestEpochMs, longestMs, Ms, ServerMs, Url } from './snapshot-bounds.ts';

/**
 * What the probe saw in one frame: raw entries, never trimmed. Field names and units of the timing entries are those of the specifications they
 * come from; their times are milliseconds from their frame's `timeOrigin`.
 */

const mostEntries = 5000;

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

/** How many frames a frame may be in. */
const deepestFrame = 64;

export const FrameSnapshotSchema = z.object({
  /** The place of the frame in the page: [] is the page itself, [2, 0] the first frame in its third; null for one in a shadow tree. */
  path: z.array(Count.nullable()).max(deepestFrame),
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
  if (issue.path[0] === 'path')
    return `A frame of the page is within more than ${deepestFrame} others, which is deeper than a Snapshot takes`;
  return `A frame of the page has more than ${issue.maximum} ${String(issue.path[0])}, which is more than a Snapshot takes`;
}

export type ResourceEntry = z.infer<typeof ResourceEntrySchema>;
export type NavigationEntry = z.infer<typeof NavigationEntrySchema>;
export type ViewportNeed = z.infer<typeof ViewportNeedSchema>;
export type FrameSnapshot = z.infer<typeof FrameSnapshotSchema>;
export type UserTiming = z.infer<typeof UserTimingSchema>;
export type Interaction = z.infer<typeof InteractionSchema>;
export type LayoutShift = z.infer<typeof LayoutShiftSchema>;

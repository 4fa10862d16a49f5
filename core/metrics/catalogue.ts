/**
 * Every metric that a Visit can have: its unit, its name for people, its definition in one sentence, its source.
 * `docs/metrics.md` says more; a test holds the two to the same list. The definitions are versioned: `metricsVersion` rises
 * whenever a definition changes, and Readings are then derived again from the stored Snapshots.
 */
export const metricsVersion = 3;

/** A `score` has no unit. */
export type MetricUnit = 'ms' | 'bytes' | 'count' | 'score';

interface MetricDefinition {
  unit: MetricUnit;
  label: string;
  definition: string;
  source: string;
}

const navigationTiming = 'Navigation Timing Level 2, W3C';
const resourceTiming = 'Resource Timing, W3C';

export const catalogue = {
  requestStartMs: {
    unit: 'ms',
    label: 'Request start',
    definition: 'Navigation start to the first byte of the first request sent.',
    source: navigationTiming,
  },
  baseMs: {
    unit: 'ms',
    label: 'Base page latency',
    definition: 'Navigation start to the last byte of the base page’s HTML, redirects included.',
    source: 'HTTP-AE',
  },
  viewportMs: {
    unit: 'ms',
    label: 'Viewport latency',
    definition: 'Navigation start to the last byte of the last object that the initial viewport needs.',
    source: 'HTTP-AE',
  },
  totalMs: {
    unit: 'ms',
    label: 'Total page load latency',
    definition:
      'Navigation start to the last byte of the base page and all its embedded objects, late ones included, until the page has settled.',
    source: 'HTTP-AE',
  },
  loadEventMs: {
    unit: 'ms',
    label: 'Load event',
    definition: 'Navigation start to the start of the load event.',
    source: navigationTiming,
  },
  firstByteMs: {
    unit: 'ms',
    label: 'Time to first byte',
    definition: 'Navigation start to the first byte of the base page’s response.',
    source: navigationTiming,
  },
  blockedMs: {
    unit: 'ms',
    label: 'Before the request',
    definition:
      'Time before the base page’s request without name resolution and connection: redirects, and the browser’s own work.',
    source: 'HTTP-AE',
  },
  dnsMs: {
    unit: 'ms',
    label: 'Name resolution',
    definition: 'Time that the base page’s request waited for name resolution.',
    source: resourceTiming,
  },
  connectMs: {
    unit: 'ms',
    label: 'Connection',
    definition: 'Time that the base page’s request waited for its connection, TLS included.',
    source: resourceTiming,
  },
  tlsMs: {
    unit: 'ms',
    label: 'TLS',
    definition: 'Time that the base page’s request waited for the TLS handshake.',
    source: resourceTiming,
  },
  requestMs: {
    unit: 'ms',
    label: 'Request',
    definition: 'First byte of the base page’s request sent to the first byte of its response.',
    source: resourceTiming,
  },
  responseMs: {
    unit: 'ms',
    label: 'Response',
    definition: 'First to last byte of the base page’s response.',
    source: resourceTiming,
  },
  firstPaintMs: {
    unit: 'ms',
    label: 'First paint',
    definition: 'Navigation start to the first paint.',
    source: 'Paint Timing, W3C',
  },
  firstContentfulPaintMs: {
    unit: 'ms',
    label: 'First contentful paint',
    definition:
      'Navigation start to the first paint with content. It may come after the total latency, as the page is drawn after it is received.',
    source: 'Paint Timing, W3C',
  },
  largestContentfulPaintMs: {
    unit: 'ms',
    label: 'Largest contentful paint',
    definition: 'Navigation start to the paint of the largest content before any input.',
    source: 'Largest Contentful Paint, W3C',
  },
  objectCount: {
    unit: 'count',
    label: 'Objects',
    definition: 'The base page and the embedded objects that its total latency counts.',
    source: 'HTTP-AE',
  },
  failedObjectCount: {
    unit: 'count',
    label: 'Failed objects',
    definition:
      'Counted objects that failed: with an HTTP status of 400 or more, without a whole answer, or withheld by the browser.',
    source: 'HTTP-AE',
  },
  viewportObjectCount: {
    unit: 'count',
    label: 'Viewport objects',
    definition: 'Objects that the initial viewport needs, without the base page.',
    source: 'HTTP-AE',
  },
  receivedBytes: {
    unit: 'bytes',
    label: 'Received',
    definition: 'Bytes of headers and bodies that the browser received for the counted objects.',
    source: 'Chrome DevTools Protocol, Network.loadingFinished',
  },
  decodedBytes: {
    unit: 'bytes',
    label: 'Decoded',
    definition: 'Bytes of the counted objects’ bodies after decompression.',
    source: resourceTiming,
  },
  connectionCount: {
    unit: 'count',
    label: 'Connections used',
    definition: 'Transport connections that carried the counted objects.',
    source: 'Chrome DevTools Protocol, Network.Response.connectionId',
  },
  hintedObjectCount: {
    unit: 'count',
    label: 'Objects by early hints',
    definition: 'Embedded objects that the browser requested because of an early hint, before the base page’s answer.',
    source: 'Resource Timing, initiator type early-hints',
  },
  pushedObjectCount: {
    unit: 'count',
    label: 'Pushed objects',
    definition: 'Embedded objects that the server pushed, and the page used.',
    source: 'RFC 9113, section 8.4',
  },
  unusedPushBytes: {
    unit: 'bytes',
    label: 'Unused pushes',
    definition: 'Bytes that servers pushed, and the page did not use.',
    source: 'RFC 9113, section 8.4',
  },
  speedIndexMs: {
    unit: 'ms',
    label: 'Speed Index',
    definition:
      'Average time at which parts of the viewport are displayed: the integral of 1 − visual progress from navigation start, by the frames of the filmstrip.',
    source: 'WebPageTest',
  },
  visuallyComplete85Ms: {
    unit: 'ms',
    label: 'Visually complete 85 %',
    definition: 'Navigation start to the first frame of the filmstrip with a visual progress of at least 85 %.',
    source: 'WebPageTest',
  },
  visuallyComplete95Ms: {
    unit: 'ms',
    label: 'Visually complete 95 %',
    definition: 'Navigation start to the first frame of the filmstrip with a visual progress of at least 95 %.',
    source: 'WebPageTest',
  },
  visuallyComplete100Ms: {
    unit: 'ms',
    label: 'Visually complete',
    definition: 'Navigation start to the first frame of the filmstrip that has all colours of the last.',
    source: 'WebPageTest',
  },
  cumulativeLayoutShift: {
    unit: 'score',
    label: 'Cumulative layout shift',
    definition:
      'How far visible content moved until the page had settled: the greatest sum of layout shifts within a session window, without those after an input.',
    source: 'Layout Instability, WICG; session windows as in web-vitals',
  },
  totalBlockingMs: {
    unit: 'ms',
    label: 'Total blocking time',
    definition:
      'Sum, over tasks of more than 50 ms, of what exceeds 50 ms, from first contentful paint until the page had settled.',
    source: 'Long Tasks, W3C; Lighthouse, with another end',
  },
  taskMs: {
    unit: 'ms',
    label: 'Task duration',
    definition:
      'From the page’s mark http-ae-begin, or else navigation start, to the mark that the entry of the URL list waits for.',
    source: 'User Timing, W3C',
  },
  messageCount: {
    unit: 'count',
    label: 'Messages',
    definition: 'Messages of a task that came: the page’s measures named http-ae-message.',
    source: 'User Timing, W3C',
  },
  lostMessageCount: {
    unit: 'count',
    label: 'Lost messages',
    definition:
      'Messages of a task that had not come 30 s after the last was sent: the page’s marks named http-ae-lost.',
    source: 'HTTP-AE',
  },
  lateMessageCount: {
    unit: 'count',
    label: 'Late messages',
    definition: 'Messages of a task that came with a latency above the limit of the task: 1 s unless it has another.',
    source: 'HTTP-AE',
  },
  messageMedianMs: {
    unit: 'ms',
    label: 'Message latency, median',
    definition:
      'Median of the latencies of a task’s messages: to the receipt of a server update, the acknowledgement of a client update, or the reply.',
    source: 'HTTP-AE',
  },
  message95Ms: {
    unit: 'ms',
    label: 'Message latency, 95th percentile',
    definition: 'The 95th percentile of the latencies of a task’s messages.',
    source: 'HTTP-AE',
  },
  messageMaxMs: {
    unit: 'ms',
    label: 'Message latency, largest',
    definition: 'The largest latency of a task’s messages.',
    source: 'HTTP-AE',
  },
  messageBytes: {
    unit: 'bytes',
    label: 'Bytes per message',
    definition:
      'Bytes both ways on the task’s connections, TLS included and TCP’s headers not, for each message that came: the origin’s count.',
    source: 'HTTP-AE',
  },
  lcpResourceDelayMs: {
    unit: 'ms',
    label: 'Largest paint: resource delay',
    definition: 'Time to first byte to the request for the image of the largest contentful paint; 0 for text.',
    source: 'web-vitals 5, resourceLoadDelay',
  },
  lcpResourceMs: {
    unit: 'ms',
    label: 'Largest paint: resource load',
    definition: 'Request for the image of the largest contentful paint to its last byte; 0 for text.',
    source: 'web-vitals 5, resourceLoadDuration',
  },
  lcpRenderDelayMs: {
    unit: 'ms',
    label: 'Largest paint: render delay',
    definition: 'Last byte of the image, or time to first byte for text, to the largest contentful paint.',
    source: 'web-vitals 5, elementRenderDelay',
  },
  interactionMs: {
    unit: 'ms',
    label: 'Interaction to next paint',
    definition:
      'Longest time from a click or key to the next paint, of a journey’s steps on the page. Of each 50 interactions, one is left out.',
    source: 'web-vitals 5, INP with a threshold of 16 ms',
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricId = keyof typeof catalogue;
export const metricIds = Object.keys(catalogue) as [MetricId, ...MetricId[]];

/** What pages that wait for a mark report of themselves. */
export const taskMetricIds = [
  'taskMs',
  'messageMedianMs',
  'message95Ms',
  'messageMaxMs',
  'messageBytes',
  'messageCount',
  'lostMessageCount',
  'lateMessageCount',
] as const satisfies MetricId[];
export type TaskMetricId = (typeof taskMetricIds)[number];

/** The three latencies that every comparison shows. */
export const latencyIds = ['baseMs', 'viewportMs', 'totalMs'] as const satisfies MetricId[];
export type LatencyId = (typeof latencyIds)[number];

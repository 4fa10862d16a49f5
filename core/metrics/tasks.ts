import { taskMarks } from '../evaluation/pages/page-mark.ts';
import { sampleQuantile, sortNumbers } from '../statistics/sample-quantile.ts';
import type { Measured, Measurement, Metrics } from './metric-definition.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { Snapshot } from './snapshot.ts';

/** What pages that wait for a mark report of themselves. */
export const tasks = {
  taskMs: {
    unit: 'ms',
    label: 'Task duration',
    definition:
      'From the page’s mark http-ae-begin, or else navigation start, to the mark that the entry of the URL list waits for.',
    source: 'User Timing, W3C',
    since: 4,
    section: 'tasks',
  },
  messageCount: {
    unit: 'count',
    label: 'Messages',
    definition: 'Messages of a task that came: the page’s measures named http-ae-message.',
    source: 'User Timing, W3C',
    since: 4,
    section: 'tasks',
  },
  lostMessageCount: {
    unit: 'count',
    label: 'Lost messages',
    definition:
      'Messages of a task that had not come 30 s after the last was sent: the page’s marks named http-ae-lost.',
    source: 'HTTP-AE',
    since: 4,
    section: 'tasks',
  },
  lateMessageCount: {
    unit: 'count',
    label: 'Late messages',
    definition: 'Messages of a task that came with a latency above the limit of the task: 1 s unless it has another.',
    source: 'HTTP-AE',
    since: 7,
    section: 'tasks',
  },
  messageMedianMs: {
    unit: 'ms',
    label: 'Message latency, median',
    definition:
      'Median of the latencies of a task’s messages: to the receipt of a server update, the acknowledgement of a client update, or the reply.',
    source: 'HTTP-AE',
    since: 4,
    section: 'tasks',
  },
  message95Ms: {
    unit: 'ms',
    label: 'Message latency, 95th percentile',
    definition: 'The 95th percentile of the latencies of a task’s messages.',
    source: 'HTTP-AE',
    since: 4,
    section: 'tasks',
  },
  messageMaxMs: {
    unit: 'ms',
    label: 'Message latency, largest',
    definition: 'The largest latency of a task’s messages.',
    source: 'HTTP-AE',
    since: 4,
    section: 'tasks',
  },
  messageBytes: {
    unit: 'bytes',
    label: 'Bytes per message',
    definition:
      'Bytes both ways on the task’s connections, TLS included and TCP’s headers not, for each message that came: the origin’s count.',
    source: 'HTTP-AE',
    since: 4,
    section: 'tasks',
  },
} as const satisfies Metrics;

/** Of all messages of a task. A page may write any number, and sums of the greatest are none. */
const mostBytes = 1e13;

/** What the page measured itself, by marks and measures (`taskMarks`). https://w3c.github.io/user-timing/ */
export function measureTask(snapshot: Snapshot): Measured<typeof tasks> {
  const { timeOrigin, userTimings = [] } = findMainFrame(snapshot);
  const marked = (name: string | undefined) => userTimings.find((each) => each.kind === 'mark' && each.name === name);
  const latencies = sortNumbers(
    userTimings
      .filter(({ kind, name }) => kind === 'measure' && name === taskMarks.message)
      .map(({ duration }) => duration),
  );
  const absent: Measurement = { reason: snapshot.viewport === null ? 'unsupported' : 'not-applicable' };
  const lost = userTimings.filter(({ name }) => name === taskMarks.lost).length;
  const hasMessages = latencies.length + lost > 0;
  const quantile = (p: number): Measurement =>
    latencies.length === 0 ? absent : { value: sampleQuantile(latencies, p) };

  const end = marked(snapshot.untilMark);
  const startMs = marked(taskMarks.begin)?.startTime ?? findNavigationStart(snapshot) - timeOrigin;
  const bytes = marked(taskMarks.bytes)?.detail;
  const lateAfterMs = marked(taskMarks.lateAfter)?.detail;
  return {
    taskMs: end
      ? { value: end.startTime - startMs }
      : snapshot.untilMark === undefined
        ? absent
        : { reason: 'not-reached' },
    messageCount: hasMessages ? { value: latencies.length } : absent,
    lostMessageCount: hasMessages ? { value: lost } : absent,
    lateMessageCount:
      typeof lateAfterMs === 'number' && hasMessages
        ? { value: latencies.filter((latencyMs) => latencyMs > lateAfterMs).length }
        : absent,
    messageMedianMs: quantile(0.5),
    message95Ms: quantile(0.95),
    messageMaxMs: quantile(1),
    messageBytes:
      typeof bytes === 'number' && bytes >= 0 && bytes <= mostBytes && latencies.length > 0
        ? { value: bytes / latencies.length }
        : absent,
  };
}

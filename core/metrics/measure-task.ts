import { taskMarks } from '../evaluation/pages/page-mark.ts';
import { sampleQuantile } from '../statistics/sample-quantile.ts';
import { sortNumbers } from '../statistics/sort-numbers.ts';
import type { TaskMetricId } from './catalogue.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

/** What the page measured itself, by marks and measures (`taskMarks`). https://w3c.github.io/user-timing/ */
export function measureTask(snapshot: Snapshot): Record<TaskMetricId, Measurement> {
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
      typeof bytes === 'number' && bytes >= 0 && latencies.length > 0 ? { value: bytes / latencies.length } : absent,
  };
}

import { measureBaseLatency, measureLatestEnd } from './base-latency.ts';
import type { Filmstrip } from '../protocol/filmstrip.ts';
import { metricIds, type MetricId, type TaskMetricId } from './catalogue.ts';
import { measureNavigationPhases } from './navigation-phases.ts';
import { measurePaints } from './paints.ts';
import { readingOf, type Measurement, type Reading, type AbsenceReason } from './reading.ts';
import type { Snapshot, Interaction, LayoutShift } from './snapshot.ts';
import { measureTraffic } from './measure-traffic.ts';
import { findCountedObjects, findSettledEpochMs } from './find-counted-objects.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import { findViewportObjects } from './find-viewport-objects.ts';
import { taskMarks } from '../evaluation/pages/page-mark.ts';
import { sampleQuantile } from '../statistics/sample-quantile.ts';
import { sortNumbers } from '../statistics/sort-numbers.ts';

type VisualId = Extract<
  MetricId,
  'speedIndexMs' | 'visuallyComplete85Ms' | 'visuallyComplete95Ms' | 'visuallyComplete100Ms'
>;

/** A film that begins later has missed what was there before. */
const latestBeginMs = 100;

/** What the viewport had of its last look, from a time on. */
interface Progress {
  atMs: number;
  ratio: number;
}

/** Between two shifts of a session window, and from its first to its last. */
const gapMs = 1000;
const windowMs = 5000;

/** Of so many interactions, one is left out as extreme. */
const perLeftOut = 50;
const mostConsidered = 10;

/** So long a task may be before a user notices. */
const unnoticedMs = 50;

/**
 * One Reading of each metric of the catalogue, in its order. Definitions and sources: `docs/metrics.md`. Those of visual progress
 * need the film of the Visit, if there is one.
 */
export function deriveReadings(snapshot: Snapshot, filmstrip?: Filmstrip | null): Reading[] {
  const measurements: Record<MetricId, Measurement> = {
    baseMs: measureBaseLatency(snapshot),
    viewportMs: measureViewportLatency(snapshot),
    totalMs: measureTotalLatency(snapshot),
    viewportObjectCount: countViewportObjects(snapshot),
    cumulativeLayoutShift: measureLayoutShift(snapshot),
    totalBlockingMs: measureBlockingTime(snapshot),
    interactionMs: measureInteraction(snapshot),
    ...measureNavigationPhases(snapshot),
    ...measurePaints(snapshot),
    ...measureTraffic(snapshot),
    ...measureVisualProgress(snapshot, filmstrip),
    ...measureTask(snapshot),
    ...measureLargestPaintParts(snapshot),
  };
  return metricIds.map((metric) => readingOf(metric, measurements[metric]));
}

/** Total page load latency: navigation start to the last byte of the base page and all its embedded objects. */
function measureTotalLatency(snapshot: Snapshot): Measurement {
  // Before the load event more objects may come, even if all have ended by now.
  if (!findMainFrame(snapshot).navigation?.loadEventStart) return { reason: 'not-reached' };
  return measureLatestEnd(findCountedObjects(snapshot), findNavigationStart(snapshot));
}

/**
 * Total Blocking Time: of each long task what exceeds 50 ms, from the first contentful paint until the page had settled. A task that one of these
 * two cuts counts with the part between. Lighthouse ends at Time to Interactive, for which it waits 5 s more.
 * https://github.com/GoogleChrome/lighthouse/blob/main/core/computed/metrics/tbt-utils.js
 */
function measureBlockingTime(snapshot: Snapshot): Measurement {
  const { longTasks, wasEverHidden, firstContentfulPaintMs: startMs, timeOrigin } = findMainFrame(snapshot);
  if (!longTasks) return { reason: 'unsupported' };
  if (wasEverHidden) return { reason: 'page-hidden' };
  if (!snapshot.settled || startMs === null) return { reason: 'not-reached' };
  const endMs = findSettledEpochMs(snapshot) - timeOrigin;
  const value = longTasks.reduce((sum, { startTime, duration }) => {
    const durationMs = Math.min(startTime + duration, endMs) - Math.max(startTime, startMs);
    return sum + Math.max(0, durationMs - unnoticedMs);
  }, 0);
  return { value };
}

/**
 * Interaction to Next Paint of a page: of the longest event of each interaction the longest, or with 50 interactions and more, about their 98th
 * percentile. https://web.dev/articles/inp, https://github.com/GoogleChrome/web-vitals/blob/v5.3.0/src/lib/InteractionManager.ts
 */
function measureInteraction(snapshot: Snapshot): Measurement {
  const { interactions, interactionCount, wasEverHidden } = findMainFrame(snapshot);
  if (!interactions) return { reason: 'unsupported' };
  if (interactions.length === 0) return { reason: 'not-applicable' };
  if (wasEverHidden) return { reason: 'page-hidden' };
  const longest = listLongest(interactions);
  const leftOut = Math.floor((interactionCount ?? longest.length) / perLeftOut);
  const considered = longest.slice(0, mostConsidered);
  return { value: considered[Math.min(considered.length - 1, leftOut)]! };
}

/** The longest event of each interaction, in descending order. */
function listLongest(interactions: readonly Interaction[]): number[] {
  const durations = new Map<number, number>();
  for (const { id, duration } of interactions) durations.set(id, Math.max(durations.get(id) ?? 0, duration));
  return [...durations.values()].sort((a, b) => b - a);
}

/** Viewport latency: navigation start to the last byte of the last object that the initial viewport needs; never less than the base page latency. */
function measureViewportLatency(snapshot: Snapshot): Measurement {
  if (snapshot.viewport === null) return { reason: 'unsupported' };
  const objects = findViewportObjects(snapshot);
  if (!objects) return { reason: 'page-hidden' };
  const base = measureBaseLatency(snapshot);
  const last = measureLatestEnd(objects, findNavigationStart(snapshot));
  if ('reason' in base) return base;
  if ('reason' in last) return last;
  const lastSure = measureLatestEnd(
    objects.filter(({ isSure }) => isSure),
    findNavigationStart(snapshot),
  );
  const isDecidedByUnsure = 'reason' in lastSure || Math.max(base.value, lastSure.value) < last.value;
  return isDecidedByUnsure ? { reason: 'timing-hidden' } : { value: Math.max(base.value, last.value) };
}

function countViewportObjects(snapshot: Snapshot): Measurement {
  if (snapshot.viewport === null) return { reason: 'unsupported' };
  const objects = findViewportObjects(snapshot);
  if (!objects) return { reason: 'page-hidden' };
  return objects.every(({ isSure }) => isSure) ? { value: objects.length } : { reason: 'timing-hidden' };
}

/**
 * Cumulative Layout Shift until the page had settled: the greatest sum of the shifts of one session window, without those after an input.
 * https://web.dev/articles/cls, https://github.com/GoogleChrome/web-vitals/blob/main/src/onCLS.ts
 */
function measureLayoutShift(snapshot: Snapshot): Measurement {
  const { layoutShifts, wasEverHidden, firstContentfulPaintMs, timeOrigin } = findMainFrame(snapshot);
  if (!layoutShifts) return { reason: 'unsupported' };
  if (wasEverHidden) return { reason: 'page-hidden' };
  if (!snapshot.settled || firstContentfulPaintMs === null) return { reason: 'not-reached' };
  const endMs = findSettledEpochMs(snapshot) - timeOrigin;
  return { value: sumGreatestWindow(layoutShifts.filter(({ startTime }) => startTime <= endMs)) };
}

function sumGreatestWindow(layoutShifts: readonly LayoutShift[]): number {
  let [greatest, sum, firstMs, lastMs] = [0, 0, -Infinity, -Infinity];
  const shifts = layoutShifts.filter(({ hadRecentInput }) => !hadRecentInput);
  for (const { startTime, value } of shifts.toSorted((a, b) => a.startTime - b.startTime)) {
    const continues = startTime - lastMs < gapMs && startTime - firstMs < windowMs;
    if (!continues) firstMs = startTime;
    sum = continues ? sum + value : value;
    lastMs = startTime;
    greatest = Math.max(greatest, sum);
  }
  return greatest;
}

type PartId = Extract<MetricId, 'lcpResourceDelayMs' | 'lcpResourceMs' | 'lcpRenderDelayMs'>;

/**
 * What the largest contentful paint waited for after the first byte, as web-vitals divides it: with the time to first byte, the parts add up to it.
 * https://web.dev/articles/optimize-lcp#lcp-breakdown, https://github.com/GoogleChrome/web-vitals/blob/v5.1.0/src/attribution/onLCP.ts
 */
function measureLargestPaintParts(snapshot: Snapshot): Record<PartId, Measurement> {
  const paint = measurePaints(snapshot).largestContentfulPaintMs;
  const firstByte = measureNavigationPhases(snapshot).firstByteMs;
  const { largestContentfulPaintUrl: url, resources, timeOrigin } = findMainFrame(snapshot);
  const all = (measurement: Measurement) => ({
    lcpResourceDelayMs: measurement,
    lcpResourceMs: measurement,
    lcpRenderDelayMs: measurement,
  });
  if ('reason' in paint) return all(paint);
  if ('reason' in firstByte) return all(firstByte);
  if (url === undefined) return all({ reason: 'unsupported' });
  const entry = url === null ? undefined : resources.find(({ name }) => name === url);
  // An image in the page’s own text has no request.
  if (url !== null && !url.startsWith('data:') && !entry) return all({ reason: 'timing-hidden' });
  const sinceStartMs = timeOrigin - findNavigationStart(snapshot);
  const at = (ms: number | undefined) => (ms ? sinceStartMs + ms : 0);
  const requestMs = Math.max(firstByte.value, at(entry?.requestStart || entry?.startTime));
  const endMs = Math.min(paint.value, Math.max(requestMs, at(entry?.responseEnd)));
  return {
    lcpResourceDelayMs: { value: requestMs - firstByte.value },
    lcpResourceMs: { value: endMs - requestMs },
    lcpRenderDelayMs: { value: paint.value - endMs },
  };
}

/** What the page measured itself, by marks and measures (`taskMarks`). https://w3c.github.io/user-timing/ */
function measureTask(snapshot: Snapshot): Record<TaskMetricId, Measurement> {
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

/**
 * Speed Index, the integral over time of the part of the viewport that is not there yet, and when so much of it is there first.
 * https://docs.webpagetest.org/metrics/speedindex/
 */
function measureVisualProgress(
  snapshot: Snapshot,
  filmstrip: Filmstrip | null | undefined,
): Record<VisualId, Measurement> {
  const progress = readProgress(snapshot, filmstrip);
  const measure = (of: (steps: readonly Progress[]) => number): Measurement =>
    typeof progress === 'string' ? { reason: progress } : { value: of(progress) };
  const completeAt = (ratio: number) => measure((steps) => steps.find((step) => step.ratio >= ratio)!.atMs);
  return {
    speedIndexMs: measure(computeSpeedIndex),
    visuallyComplete85Ms: completeAt(0.85),
    visuallyComplete95Ms: completeAt(0.95),
    visuallyComplete100Ms: completeAt(1),
  };
}

function computeSpeedIndex(steps: readonly Progress[]): number {
  return steps.reduce((sum, { ratio, atMs }, index) => {
    const nextMs = steps[index + 1]?.atMs ?? atMs;
    return sum + (1 - ratio) * (nextMs - atMs);
  }, 0);
}

function readProgress(snapshot: Snapshot, filmstrip: Filmstrip | null | undefined): Progress[] | AbsenceReason {
  if (snapshot.viewport === null) return 'unsupported';
  if (filmstrip?.kind !== 'kept' || filmstrip.isLastLate) return 'not-filmed';
  if (findMainFrame(snapshot).wasEverHidden) return 'page-hidden';
  if (!snapshot.settled) return 'not-reached';
  const startEpochMs = findNavigationStart(snapshot);
  const steps = filmstrip.frames.flatMap(({ shownEpochMs, progressRatio }) =>
    progressRatio === undefined ? [] : [{ atMs: shownEpochMs - startEpochMs, ratio: progressRatio }],
  );
  const isWhole = steps.length === filmstrip.frames.length && steps.at(-1)!.ratio === 1;
  if (!isWhole || steps[0]!.atMs > latestBeginMs) return 'not-filmed';
  if (steps[0]!.ratio === 1) return 'not-reached';
  // The first look is that of the empty tab, which was there when navigation started.
  return steps.map(({ atMs, ratio }, index) => ({ atMs: index === 0 ? 0 : Math.max(0, atMs), ratio }));
}

import type { FrameSnapshot, UserTiming } from '#core/metrics/frame-snapshot.ts';
import type { Observations } from './observe-frame.ts';

/** What a Snapshot takes: of more, the last ones, and before others those that a task is measured by. */
const mostTimings = 5000;
/** As `core/evaluation/pages/page-mark.ts` has it: the probe imports types only. */
const ownNames = /^http-ae-/;
const longestText = 1024;
/** A page may set a mark at any time. */
const longestMs = 1e13;

export function hasMark({ userTimings }: Observations, names: readonly string[]): boolean {
  return userTimings?.read().some(({ entryType, name }) => entryType === 'mark' && names.includes(name)) ?? false;
}

/** Nothing of a page without any. https://w3c.github.io/user-timing/ */
export function reportUserTimings({ userTimings }: Observations): Pick<FrameSnapshot, 'userTimings'> {
  const entries = (userTimings?.read() ?? []).filter(({ startTime, duration }) =>
    [startTime, duration].every((ms) => Math.abs(ms) < longestMs),
  );
  return entries.length === 0 ? {} : { userTimings: choose(entries).map(describeTiming) };
}

function choose(entries: readonly PerformanceEntry[]): readonly PerformanceEntry[] {
  let others = mostTimings - Math.min(mostTimings, entries.filter(({ name }) => ownNames.test(name)).length);
  const kept = entries.toReversed().filter(({ name }) => ownNames.test(name) || others-- > 0);
  return kept.slice(0, mostTimings).toReversed();
}

function describeTiming(entry: PerformanceEntry & { detail?: unknown }): UserTiming {
  const { entryType, name, startTime, duration, detail } = entry;
  return {
    kind: entryType === 'mark' ? 'mark' : 'measure',
    name: name.slice(0, longestText),
    startTime,
    duration,
    ...(typeof detail === 'number' && Number.isFinite(detail) && { detail }),
    ...(typeof detail === 'string' && { detail: detail.slice(0, longestText) }),
  };
}

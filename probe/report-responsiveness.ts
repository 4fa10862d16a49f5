import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { Observations } from './observe-frame.ts';

/** What a Snapshot takes of either. A page with more shifts or long tasks than this is shown as one of which they are not known. */
const mostEntries = 5000;

/** What moved under the eyes of the user, what held up the page, and what the user's interactions took; nothing where the browser does not report it. */
export function reportResponsiveness({
  layoutShifts,
  longTasks,
  interactions,
}: Observations): Pick<FrameSnapshot, 'layoutShifts' | 'longTasks' | 'interactions' | 'interactionCount'> {
  const shifts = layoutShifts?.read();
  const tasks = longTasks?.read();
  return {
    ...(shifts &&
      shifts.length <= mostEntries && {
        layoutShifts: shifts.map(({ startTime, value, hadRecentInput }) => ({ startTime, value, hadRecentInput })),
      }),
    ...(tasks &&
      tasks.length <= mostEntries && { longTasks: tasks.map(({ startTime, duration }) => ({ startTime, duration })) }),
    ...reportInteractions({ interactions }),
  };
}

/** Newer than the types that TypeScript knows. https://w3c.github.io/event-timing/#dom-performance-interactioncount */
interface InteractionCount {
  interactionCount?: number;
}

/** Of a page with more interactions than a Snapshot takes, the longest. */
export function reportInteractions({
  interactions,
}: Pick<Observations, 'interactions'>): Pick<FrameSnapshot, 'interactions' | 'interactionCount'> {
  if (!interactions) return {};
  const { interactionCount } = performance as InteractionCount;
  const events = interactions
    .read()
    .filter(({ interactionId, entryType }) => interactionId || entryType === 'first-input')
    .map(({ interactionId, startTime, duration }) => ({ id: interactionId, startTime, duration }));
  return {
    interactions: events.sort((a, b) => b.duration - a.duration).slice(0, mostEntries),
    ...(interactionCount !== undefined && { interactionCount }),
  };
}

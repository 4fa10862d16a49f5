import type { FrameSnapshot } from '#core/metrics/snapshot.ts';
import type { Observations } from './observe-frame.ts';

/** What a Snapshot takes of either. A page with more shifts or long tasks than this is shown as one of which they are not known. */
const mostEntries = 5000;

/** What moved under the eyes of the user, and what held up the page; nothing where the browser does not report it. */
export function reportResponsiveness({
  layoutShifts,
  longTasks,
}: Observations): Pick<FrameSnapshot, 'layoutShifts' | 'longTasks'> {
  const shifts = layoutShifts?.read();
  const tasks = longTasks?.read();
  return {
    ...(shifts &&
      shifts.length <= mostEntries && {
        layoutShifts: shifts.map(({ startTime, value, hadRecentInput }) => ({ startTime, value, hadRecentInput })),
      }),
    ...(tasks &&
      tasks.length <= mostEntries && { longTasks: tasks.map(({ startTime, duration }) => ({ startTime, duration })) }),
  };
}

import type { FrameSnapshot } from '#core/metrics/snapshot.ts';
import type { Observations } from '../observe-frame.ts';
import { scrollWithin } from '../page-natives.ts';
import { reportInteractions } from '../report-responsiveness.ts';
import { reportUserTimings } from '../user-timings.ts';
import { beginChange, type BegunChange } from './begin-change.ts';
import { findVisible, type SelectorPath } from './find-element.ts';
import { findPoint, type Point } from './find-point.ts';
import { waitFor } from './wait-for.ts';

/** What the steps of a journey need of the page. */
export interface JourneyProbe {
  findPoint(
    paths: readonly SelectorPath[],
    options: { timeoutMs: number; offset: Partial<Point> },
  ): Promise<Point | null>;
  beginChange(paths: readonly SelectorPath[], options: { value: string; timeoutMs: number }): Promise<BegunChange>;
  /** Whether a user can see the element in time. */
  waitForElement(paths: readonly SelectorPath[], timeoutMs: number): Promise<boolean>;
  /** Scrolls the page, or an element, to this place; whether it came in time. */
  scroll(paths: readonly SelectorPath[] | null, options: Point & { timeoutMs: number }): Promise<boolean>;
  mark(name: string): void;
  /** What came of the steps. */
  report(): Pick<FrameSnapshot, 'interactions' | 'interactionCount' | 'userTimings'>;
}

export function makeJourneyProbe(observations: Observations): JourneyProbe {
  return {
    findPoint,
    beginChange,
    waitForElement: async (paths, timeoutMs) => (await waitFor(() => findVisible(paths), timeoutMs)) !== null,
    scroll: async (paths, { x, y, timeoutMs }) => {
      const place: ScrollToOptions = { left: x, top: y, behavior: 'instant' };
      if (paths === null) {
        scrollTo(place);
        return true;
      }
      const element = await waitFor(() => findVisible(paths), timeoutMs);
      if (element) scrollWithin(element, place);
      return element !== null;
    },
    mark: (name) => void performance.mark(name),
    report: () => ({ ...reportInteractions(observations), ...reportUserTimings(observations) }),
  };
}

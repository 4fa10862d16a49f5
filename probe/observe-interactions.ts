import { observeEntries, type EntryObserver } from './observe-entries.ts';

/** The least that the specification allows. https://w3c.github.io/event-timing/#sec-increasing-event-timing-threshold */
const durationThreshold = 16;

/** Events that may be of an interaction, and the first input, however short it was. Null where the browser does not say which events are of one interaction. */
export function observeInteractions(): EntryObserver<PerformanceEventTiming> | null {
  const isKnown = typeof PerformanceEventTiming === 'function' && 'interactionId' in PerformanceEventTiming.prototype;
  return isKnown ? observeEntries<PerformanceEventTiming>({ type: 'event', durationThreshold }, 'first-input') : null;
}

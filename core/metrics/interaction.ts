import { findMainFrame } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { Interaction, Snapshot } from './snapshot.ts';

/** Of so many interactions, one is left out as extreme. */
const perLeftOut = 50;
const mostConsidered = 10;

/**
 * Interaction to Next Paint of a page: of the longest event of each interaction the longest, or with 50 interactions and more, about their 98th
 * percentile. https://web.dev/articles/inp, https://github.com/GoogleChrome/web-vitals/blob/v5.3.0/src/lib/InteractionManager.ts
 */
export function measureInteraction(snapshot: Snapshot): Measurement {
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

import { page } from '../page-natives.ts';

/**
 * The browser answers with its next frame; a page that it does not draw is never answered. In turns: one timer of a page that is busy, as with thousands of frames, ends
 * before the frame that it waits for.
 */
const turns = 20;
const turnMs = 100;

/** A page that is hidden has slow timers, and is not drawn. */
const hiddenTurns = 2;

/**
 * The area, in CSS pixels, with which each element intersects the viewport of the whole page, clipped by the frames and scrollers
 * around it; elements of less than one pixel are left out. Null when the browser does not report it.
 */
export async function measureVisibleAreas(elements: readonly Element[]): Promise<Map<Element, number> | null> {
  const areas = new Map<Element, number>();
  if (elements.length === 0) return areas;

  const answered = Promise.withResolvers<true>();
  let waitingFor = elements.length;
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, intersectionRect } of entries) {
      const area = intersectionRect.width * intersectionRect.height;
      if (isIntersecting && area >= 1) areas.set(target, area);
    }
    waitingFor -= entries.length;
    if (waitingFor <= 0) answered.resolve(true);
  });
  try {
    for (const element of elements) observer.observe(element);
    for (let turn = 0; turn < (page.visibilityState === 'hidden' ? hiddenTurns : turns); turn++)
      if (await Promise.race([answered.promise, passTurn()])) return areas;
    return null;
  } finally {
    observer.disconnect();
  }
}

function passTurn(): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, turnMs, false));
}

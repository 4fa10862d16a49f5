/** The browser answers with its next frame; a page that it does not draw is never answered. */
const answerWithinMs = 2000;

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
  const tooLate = Promise.withResolvers<false>();
  const timer = setTimeout(() => tooLate.resolve(false), answerWithinMs);
  try {
    for (const element of elements) observer.observe(element);
    return (await Promise.race([answered.promise, tooLate.promise])) ? areas : null;
  } finally {
    clearTimeout(timer);
    observer.disconnect();
  }
}

import { boxOf, bringIntoView, matches } from '../page-natives.ts';
import { findVisible, type SelectorPath } from './find-element.ts';
import { waitFor } from './wait-for.ts';

export interface Point {
  x: number;
  y: number;
}

/** Where to click an element, in CSS pixels of the viewport: it is there, enabled, in view, and has not moved for a frame. Null when that does not come in time. */
export async function findPoint(
  paths: readonly SelectorPath[],
  { timeoutMs, offset }: { timeoutMs: number; offset: Partial<Point> },
): Promise<Point | null> {
  let before = '';
  return waitFor(() => {
    const element = findVisible(paths);
    if (!element || matches(element, ':disabled')) return null;
    scrollToElement(element);
    const box = boxOf(element);
    const place = JSON.stringify(box);
    const isStill = place === before;
    before = place;
    return isStill ? pointIn(box, offset) : null;
  }, timeoutMs);
}

/** The smallest movement that shows all of an element. */
export function scrollToElement(element: Element): void {
  bringIntoView(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
}

/** The point of the recording where the element has it, and else the middle of what is in view. */
function pointIn({ left, top, right, bottom }: DOMRect, { x, y }: Partial<Point>): Point {
  const shown = {
    left: Math.max(left, 0),
    top: Math.max(top, 0),
    right: Math.min(right, innerWidth),
    bottom: Math.min(bottom, innerHeight),
  };
  const recorded = { x: left + (x ?? NaN), y: top + (y ?? NaN) };
  const isShown =
    recorded.x > shown.left && recorded.x < shown.right && recorded.y > shown.top && recorded.y < shown.bottom;
  return isShown ? recorded : { x: (shown.left + shown.right) / 2, y: (shown.top + shown.bottom) / 2 };
}

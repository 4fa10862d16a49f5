import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { Observations } from './observe-frame.ts';
import {
  scrollWithin,
  boxOf,
  bringIntoView,
  matches,
  childrenOf,
  findNode,
  openShadowRootOf,
  queryAll,
  textOf,
  type Root,
} from './page-natives.ts';
import { reportInteractions } from './report-responsiveness.ts';
import { reportUserTimings } from './user-timings.ts';

/** About one frame of a display. */
const askAgainAfterMs = 16;

/** One way to find an element: each selector within the shadow root of what the one before found. */
type SelectorPath = readonly string[];

const kinds: readonly (readonly [string, (root: Root, rest: string) => Element | null])[] = [
  ['xpath/', findByXPath],
  ['pierce/', findInShadowTrees],
  ['text/', findByText],
];

/** What is left to do: type the text; nothing; or the element did not come, or takes no text. */
type BegunChange = 'type' | 'done' | 'absent' | 'no-field';

const typedTypes = new Set(['text', 'email', 'number', 'password', 'search', 'tel', 'url']);
const untouchedTypes = new Set(['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image']);

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

/** Makes a field ready for a text that replaces what is in it, or sets what no user types: a choice, a date, a colour. */
async function beginChange(
  paths: readonly SelectorPath[],
  { value, timeoutMs }: { value: string; timeoutMs: number },
): Promise<BegunChange> {
  const element = await waitFor(() => findVisible(paths), timeoutMs);
  if (!element) return 'absent';
  scrollToElement(element);
  if (element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && typedTypes.has(element.type))) {
    element.focus();
    element.select();
    return 'type';
  }
  if (element instanceof HTMLElement && element.isContentEditable) {
    element.focus();
    getSelection()?.selectAllChildren(element);
    return 'type';
  }
  if (
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLInputElement && !untouchedTypes.has(element.type))
  ) {
    element.value = value;
    if (element.value !== value) return 'no-field';
    element.dispatchEvent(new Event('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return 'done';
  }
  return 'no-field';
}

interface Point {
  x: number;
  y: number;
}

/** Where to click an element, in CSS pixels of the viewport: it is there, enabled, in view, and has not moved for a frame. Null when that does not come in time. */
async function findPoint(
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
function scrollToElement(element: Element): void {
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

/** What the first of these ways finds that a user can see; null where none does. Throws for a selector that is none. https://pptr.dev/guides/page-interactions#selectors */
function findVisible(paths: readonly SelectorPath[]): Element | null {
  for (const path of paths) {
    const element = follow(path);
    if (element && isVisible(element)) return element;
  }
  return null;
}

function follow(path: SelectorPath): Element | null {
  let root: Root = document;
  let found: Element | null = null;
  for (const selector of path) {
    found = query(root, selector);
    if (!found) return null;
    root = openShadowRootOf(found) ?? found;
  }
  return found;
}

function query(root: Root, selector: string): Element | null {
  const kind = kinds.find(([prefix]) => selector.startsWith(prefix));
  return kind ? kind[1](root, selector.slice(kind[0].length)) : (queryAll(root, selector)[0] ?? null);
}

function findByXPath(root: Root, expression: string): Element | null {
  const node = findNode(expression, root);
  return node instanceof Element ? node : null;
}

function findInShadowTrees(root: Root, selector: string): Element | null {
  const [found] = queryAll(root, selector);
  if (found) return found;
  for (const element of queryAll(root, '*')) {
    const shadowRoot = openShadowRootOf(element);
    const inner = shadowRoot && findInShadowTrees(shadowRoot, selector);
    if (inner) return inner;
  }
  return null;
}

/** The first of the innermost elements with this text. */
function findByText(root: Root, text: string): Element | null {
  const hasText = (element: Element) => readText(element).includes(text);
  return (
    queryAll(root, '*').find(
      (element) => !matches(element, 'script, style, head *') && hasText(element) && !childrenOf(element).some(hasText),
    ) ?? null
  );
}

function readText(element: Element): string {
  return element instanceof HTMLInputElement && ['button', 'submit', 'reset'].includes(element.type)
    ? element.value
    : textOf(element);
}

function isVisible(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
}

/** What is found within this time; null when nothing is. */
async function waitFor<T>(find: () => T | null, timeoutMs: number): Promise<T | null> {
  const endMs = performance.now() + timeoutMs;
  while (true) {
    const found = find();
    if (found !== null || performance.now() >= endMs) return found;
    await new Promise((resolve) => setTimeout(resolve, askAgainAfterMs));
  }
}

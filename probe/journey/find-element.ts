import {
  boxOf,
  childrenOf,
  findNode,
  matches,
  openShadowRootOf,
  queryAll,
  textOf,
  type Root,
} from '../page-natives.ts';

/** One way to find an element: each selector within the shadow root of what the one before found. */
export type SelectorPath = readonly string[];

/** What the first of these ways finds that a user can see; null where none does. Throws for a selector that is none. https://pptr.dev/guides/page-interactions#selectors */
export function findVisible(paths: readonly SelectorPath[]): Element | null {
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

const kinds: readonly (readonly [string, (root: Root, rest: string) => Element | null])[] = [
  ['xpath/', findByXPath],
  ['pierce/', findInShadowTrees],
  ['text/', findByText],
];

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

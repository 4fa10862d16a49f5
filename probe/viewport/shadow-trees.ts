import { boxOf, localNameOf, openShadowRootOf, queryAll } from '../page-natives.ts';

type ClosedRoots = ReadonlyMap<Element, ShadowRoot>;

/** Every element of the document, those in open and in known closed shadow trees included. */
export function findElements(closedShadowRoots: ClosedRoots): Element[] {
  const found: Element[] = [];
  const visit = (root: Document | ShadowRoot) => {
    for (const element of queryAll(root, '*')) {
      found.push(element);
      const shadow = openShadowRootOf(element) ?? closedShadowRoots.get(element);
      if (shadow) visit(shadow);
    }
  };
  visit(document);
  return found;
}

/** What may have a shadow tree, beside custom elements. https://dom.spec.whatwg.org/#valid-shadow-host-name */
const hostNames = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** For the engine, a look at each costs as much as a hundred here. */
const mostAtOnce = 2000;
const mostInAll = 20_000;

/** Lists what may have a closed shadow tree that shows something, each element once, for an engine that looks at every element by itself. */
export class HostList {
  readonly #listed = new WeakSet<Element>();
  #left = mostInAll;

  /** Empty at the end. A tree that was found meanwhile may have others in it. */
  next(closedShadowRoots: ClosedRoots): Element[] {
    const hosts: Element[] = [];
    if (this.#left === 0) return hosts;
    for (const element of findElements(closedShadowRoots)) {
      if (this.#listed.has(element) || !mayHaveClosedTree(element, closedShadowRoots)) continue;
      hosts.push(element);
      this.#listed.add(element);
      if (hosts.length === Math.min(mostAtOnce, this.#left)) break;
    }
    this.#left -= hosts.length;
    return hosts;
  }
}

function mayHaveClosedTree(element: Element, closedShadowRoots: ClosedRoots): boolean {
  const name = localNameOf(element);
  const isCustom = name.includes('-');
  if (!isCustom && !hostNames.has(name)) return false;
  if (openShadowRootOf(element) || closedShadowRoots.has(element)) return false;
  return isCustom || isNearViewport(element);
}

/** Within a screen of it; what has no area may show something anywhere, as `display: contents` does. Large documents have hundreds of thousands of elements, most of them far below. */
function isNearViewport(element: Element): boolean {
  const { top, bottom, left, right, width, height } = boxOf(element);
  if (width === 0 || height === 0) return true;
  return bottom > -innerHeight && top < 2 * innerHeight && right > -innerWidth && left < 2 * innerWidth;
}

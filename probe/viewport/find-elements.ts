import { openShadowRootOf, queryAll } from '../page-natives.ts';

/** Every element of the document, those in open and in known closed shadow trees included. */
export function findElements(closedShadowRoots: ReadonlyMap<Element, ShadowRoot>): Element[] {
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

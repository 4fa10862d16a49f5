/** Every element of the document, those in open and in known closed shadow trees included. */
export function findElements(closedShadowRoots: ReadonlyMap<Element, ShadowRoot>): Element[] {
  const found: Element[] = [];
  const visit = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      found.push(element);
      const shadow = element.shadowRoot ?? closedShadowRoots.get(element);
      if (shadow) visit(shadow);
    }
  };
  visit(document);
  return found;
}

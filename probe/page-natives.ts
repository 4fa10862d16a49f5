/**
 * What the browser itself has, taken from prototypes once. A page can hide any property of a document or a form by naming an element like it
 * (https://html.spec.whatwg.org/#dom-document-nameditem, https://html.spec.whatwg.org/#dom-form-nameditem), also from an isolated world: of these, the
 * probe reads none directly.
 */

function findProperty(owner: object, name: PropertyKey): PropertyDescriptor {
  for (let holder: object | null = owner; holder; holder = Object.getPrototypeOf(holder) as object | null) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found) return found;
  }
  return {};
}

/** Reads an attribute of any object with this prototype; undefined in a browser that lacks it. */
function reader<Owner extends object, Name extends keyof Owner>(
  prototype: Owner,
  name: Name,
): (of: Owner) => Owner[Name] {
  const get = Reflect.get(findProperty(prototype, name), 'get') as (() => unknown) | undefined;
  return (of) => (get && Reflect.apply(get, of, [])) as Owner[Name];
}

type MethodName<Owner> = {
  [Name in keyof Owner]: Owner[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Owner];

/** Calls a method of any object with this prototype. */
function caller<Owner extends object, Name extends MethodName<Owner>>(
  prototype: Owner,
  name: Name,
): Owner[Name] extends (...args: infer Args) => infer Result ? (of: Owner, ...args: Args) => Result : never {
  const { value } = findProperty(prototype, name) as { value: (...args: unknown[]) => unknown };
  return ((of: Owner, ...args: unknown[]) => Reflect.apply(value, of, args)) as never;
}

const ofDocument = {
  title: reader(Document.prototype, 'title'),
  root: reader(Document.prototype, 'documentElement'),
  head: reader(Document.prototype, 'head'),
  body: reader(Document.prototype, 'body'),
  baseUri: reader(Node.prototype, 'baseURI'),
  fonts: reader(Document.prototype, 'fonts'),
  images: reader(Document.prototype, 'images'),
  styleSheets: reader(Document.prototype, 'styleSheets'),
  adoptedStyleSheets: reader(Document.prototype, 'adoptedStyleSheets'),
  visibilityState: reader(Document.prototype, 'visibilityState'),
  query: caller(Document.prototype, 'querySelectorAll'),
  evaluate: caller(Document.prototype, 'evaluate'),
};

const ofRoot = {
  query: { document: ofDocument.query, fragment: caller(DocumentFragment.prototype, 'querySelectorAll') },
};

const ofElement = {
  query: caller(Element.prototype, 'querySelectorAll'),
  shadowRoot: reader(Element.prototype, 'shadowRoot'),
  localName: reader(Element.prototype, 'localName'),
  children: reader(Element.prototype, 'children'),
  childNodes: reader(Node.prototype, 'childNodes'),
  textContent: reader(Node.prototype, 'textContent'),
  attribute: caller(Element.prototype, 'getAttribute'),
  matches: caller(Element.prototype, 'matches'),
  box: caller(Element.prototype, 'getBoundingClientRect'),
  checkVisibility: caller(Element.prototype, 'checkVisibility'),
  scrollIntoView: caller(Element.prototype, 'scrollIntoView'),
  scrollTo: caller(Element.prototype as { scrollTo(options: ScrollToOptions): void }, 'scrollTo'),
};

const addListener = caller(EventTarget.prototype, 'addEventListener');

export type Root = Document | ShadowRoot | Element;

/** Of the frame's own document. */
export const page = {
  get title(): string {
    return ofDocument.title(document);
  },
  /** Null in a document without one, such as an SVG picture or a feed. */
  get head(): HTMLHeadElement | null {
    return ofDocument.head(document);
  },
  /** The root element and the body, as far as the document has them. */
  get rootAndBody(): HTMLElement[] {
    return [ofDocument.root(document), ofDocument.body(document)].filter((element) => element instanceof HTMLElement);
  },
  get baseUri(): string {
    return ofDocument.baseUri(document);
  },
  get fonts(): FontFaceSet {
    return ofDocument.fonts(document);
  },
  get images(): HTMLImageElement[] {
    return Array.from(ofDocument.images(document));
  },
  get styleSheets(): CSSStyleSheet[] {
    return [...ofDocument.styleSheets(document), ...ofDocument.adoptedStyleSheets(document)];
  },
  get visibilityState(): DocumentVisibilityState {
    return ofDocument.visibilityState(document);
  },
};

export function queryAll<Found extends Element>(root: Root, selector: string): Found[] {
  const query =
    root instanceof Document
      ? ofRoot.query.document
      : root instanceof Element
        ? ofElement.query
        : ofRoot.query.fragment;
  return Array.from(query(root as never, selector)) as Found[];
}

export function findNode(expression: string, root: Root): Node | null {
  return ofDocument.evaluate(document, expression, root, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null)
    .singleNodeValue;
}

export const localNameOf = (element: Element) => ofElement.localName(element);
export const openShadowRootOf = (element: Element) => ofElement.shadowRoot(element);
export const childrenOf = (element: Element) => Array.from(ofElement.children(element));
export const childNodesOf = (element: Element) => Array.from(ofElement.childNodes(element));
export const textOf = (element: Element) => ofElement.textContent(element) ?? '';
export const attributeOf = (element: Element, name: string) => ofElement.attribute(element, name);
export const matches = (element: Element, selector: string) => ofElement.matches(element, selector);
export const boxOf = (element: Element) => ofElement.box(element);
export const isDrawn = (element: Element, options: CheckVisibilityOptions) =>
  ofElement.checkVisibility(element, options);
export const bringIntoView = (element: Element, options: ScrollIntoViewOptions) =>
  ofElement.scrollIntoView(element, options);
export const scrollWithin = (element: Element, options: ScrollToOptions) => ofElement.scrollTo(element, options);

type FrameElement = Pick<HTMLIFrameElement, 'contentWindow'>;
const frameKinds = ['HTMLIFrameElement', 'HTMLFrameElement', 'HTMLObjectElement'].map((name) => {
  const kind = Reflect.get(globalThis, name) as { prototype: FrameElement } & (new () => unknown);
  return { kind, read: reader(kind.prototype, 'contentWindow') };
});

/** The window of an element that holds a frame, and null for all others. */
export function contentWindowOf(element: Element): Window | null {
  const found = frameKinds.find(({ kind }) => element instanceof kind);
  return found?.read(element as unknown as FrameElement) ?? null;
}

export function listen(target: EventTarget, type: string, listener: (event: Event) => void): void {
  addListener(target, type, listener, { passive: true });
}

/** Hears also what does not bubble, of all within the target. */
export function listenWithin(target: EventTarget, type: string, listener: (event: Event) => void): void {
  addListener(target, type, listener, { passive: true, capture: true });
}

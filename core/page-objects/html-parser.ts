import { Element, isComment, isDocument, isTag, type AnyNode, type Document, type ParentNode } from 'domhandler';
import { Parser, type TreeAdapter } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';

export interface HtmlListener {
  /** With each element as soon as its start tag was read, at its place in the document. Not for those of inert templates. */
  onElement(element: Element): void;
  /** When an element that has an end tag is closed. */
  onElementEnd(element: Element): void;
  /** With what stands between `<?` and `?>`, which only XML has. */
  onInstruction?(text: string): void;
  /** Asked for each element; false: nothing more is read. */
  hasRoom?(): boolean;
}

/** Each element costs a step for each that it is in. Browsers end at some hundreds: they put deeper elements beside each other. */
const maximumDepth = 1000;
/** Some 700 bytes each. A tag may make hundreds: elements for the form of text are opened again in each paragraph. */
const maximumElements = 200_000;

class LimitError extends Error {}

/** Parses HTML as it comes, as a browser that runs scripts: what is in `noscript` is text. What comes after an element that is too deep, or after too many, is not read. */
export class HtmlParser {
  readonly #parser: Parser<Htmlparser2TreeAdapterMap>;
  readonly #depths = new WeakMap<ParentNode, number>();
  readonly #hasRoom: () => boolean;
  #elementCount = 0;
  #isOver = false;

  constructor(listener: HtmlListener) {
    this.#hasRoom = () => listener.hasRoom?.() ?? true;
    const announce = (node: AnyNode, parent: ParentNode) => {
      if (isTag(node) && !isInert(parent)) listener.onElement(node);
      // HTML makes a comment of it.
      else if (isComment(node) && node.data.startsWith('?')) listener.onInstruction?.(node.data.slice(1));
    };
    const treeAdapter: TreeAdapter<Htmlparser2TreeAdapterMap> = {
      ...adapter,
      appendChild: (parent, node) => {
        this.#noteElement(parent, node);
        adapter.appendChild(parent, node);
        announce(node, parent);
      },
      insertBefore: (parent, node, reference) => {
        this.#noteElement(parent, node);
        adapter.insertBefore(parent, node, reference);
        announce(node, parent);
      },
      onItemPop: (element) => {
        listener.onElementEnd(element);
      },
    };
    this.#parser = new Parser({ treeAdapter, scriptingEnabled: true });
  }

  get document(): Document {
    return this.#parser.document;
  }

  write(text: string): void {
    this.#tokenize(text, false);
  }

  end(): void {
    this.#tokenize('', true);
  }

  #tokenize(text: string, isLast: boolean): void {
    if (this.#isOver) return;
    try {
      this.#parser.tokenizer.write(text, isLast);
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      this.#isOver = true;
    }
  }

  #noteElement(parent: ParentNode, node: AnyNode): void {
    if (!isTag(node)) return;
    const depth = (this.#depths.get(parent) ?? 0) + 1;
    this.#elementCount += 1;
    if (depth > maximumDepth || this.#elementCount > maximumElements || !this.#hasRoom()) throw new LimitError();
    this.#depths.set(node, depth);
    // What is in a template is in a document of its own.
    for (const child of node.children) if (isDocument(child)) this.#depths.set(child, depth);
  }
}

/** In a template, but for one that is a shadow tree: its contents are there at once. */
function isInert(place: ParentNode): boolean {
  for (let node: ParentNode | null = place; node; node = node.parent) {
    if (node instanceof Element && node.name === 'template' && node.attribs.shadowrootmode === undefined) return true;
  }
  return false;
}

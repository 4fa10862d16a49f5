import { Element, isDocument, isTag, Text, type AnyNode, Document, type ParentNode } from 'domhandler';
import { Parser, type TreeAdapter } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { SaxesParser } from 'saxes';

export const svgNamespace = 'http://www.w3.org/2000/svg';
export const htmlNamespace = 'http://www.w3.org/1999/xhtml';

export interface ParserListener {
  /** With each element as soon as its start tag was read, at its place in the document. Not for those of inert templates. */
  onElement(element: Element): void;
  /** When an element that has an end tag is closed. */
  onElementEnd(element: Element): void;
  /** With what stands between `<?` and `?>`, which only XML has. */
  onInstruction(text: string): void;
  /** Asked for each element; false: nothing more is read. */
  hasRoom?(): boolean;
}

/** Reads a document as it comes, into a tree. */
export interface DocumentParser {
  readonly document: Document;
  write(text: string): void;
  end(): void;
}

/** Each element costs a step for each that it is in. Browsers end at some hundreds: they put deeper elements beside each other. */
const maximumDepth = 1000;
/** Some 700 bytes each. A tag may make hundreds: elements for the form of text are opened again in each paragraph. */
const maximumElements = 200_000;

/** Nothing more is read. */
class EndError extends Error {}

/** Puts nodes into a tree and reports elements. What comes after an element that is too deep, or after too many, is not read. */
class Tree {
  readonly listener: ParserListener;
  readonly #depths = new WeakMap<ParentNode, number>();
  #elementCount = 0;
  #isOver = false;

  constructor(listener: ParserListener) {
    this.listener = listener;
  }

  append(parent: ParentNode, node: AnyNode): void {
    this.#count(parent, node);
    adapter.appendChild(parent, node);
    this.#announce(parent, node);
  }

  insertBefore(parent: ParentNode, node: AnyNode, reference: AnyNode): void {
    this.#count(parent, node);
    adapter.insertBefore(parent, node, reference);
    this.#announce(parent, node);
  }

  /** Reads on, unless the document is over. */
  read(part: () => void): void {
    if (this.#isOver) return;
    try {
      part();
    } catch (error) {
      if (!(error instanceof EndError)) throw error;
      this.#isOver = true;
    }
  }

  #announce(parent: ParentNode, node: AnyNode): void {
    if (isTag(node) && !isInert(parent)) this.listener.onElement(node);
  }

  #count(parent: ParentNode, node: AnyNode): void {
    if (!isTag(node)) return;
    const depth = (this.#depths.get(parent) ?? 0) + 1;
    this.#elementCount += 1;
    const hasRoom = this.listener.hasRoom?.() ?? true;
    if (depth > maximumDepth || this.#elementCount > maximumElements || !hasRoom) throw new EndError();
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

/** Parses HTML as a browser that runs scripts: what is in `noscript` is text. */
export class HtmlParser implements DocumentParser {
  readonly #parser: Parser<Htmlparser2TreeAdapterMap>;
  readonly #tree: Tree;

  constructor(listener: ParserListener) {
    this.#tree = new Tree(listener);
    const treeAdapter: TreeAdapter<Htmlparser2TreeAdapterMap> = {
      ...adapter,
      appendChild: (parent, node) => this.#tree.append(parent, node),
      insertBefore: (parent, node, reference) => this.#tree.insertBefore(parent, node, reference),
      onItemPop: (element) => listener.onElementEnd(element),
    };
    this.#parser = new Parser({ treeAdapter, scriptingEnabled: true });
  }

  get document(): Document {
    return this.#parser.document;
  }

  write(text: string): void {
    this.#tree.read(() => this.#parser.tokenizer.write(text, false));
  }

  end(): void {
    this.#tree.read(() => this.#parser.tokenizer.write('', true));
  }
}

/** Parses XML as browsers do: each element has a namespace, `<script/>` is closed, and what comes after an error is not read. */
export class XmlParser implements DocumentParser {
  readonly document = new Document([]);
  readonly #parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  readonly #tree: Tree;
  #place: ParentNode = this.document;
  readonly #namespaces = new Namespaces();

  constructor(listener: ParserListener) {
    this.#tree = new Tree(listener);
    this.#parser.on('opentag', ({ name, attributes }) => {
      const [prefix, localName] = /^([^:]*):(.*)$/s.exec(name)?.slice(1) ?? ['', name];
      const element = new Element(localName!, attributes, []);
      this.#namespaces.enter(attributes);
      element.namespace = this.#namespaces.find(prefix!);
      this.#tree.append(this.#place, element);
      this.#place = element;
    });
    this.#parser.on('closetag', () => {
      listener.onElementEnd(this.#place as Element);
      this.#place = this.#place.parent!;
      this.#namespaces.leave();
    });
    const addText = (text: string) => this.#tree.append(this.#place, new Text(text));
    this.#parser.on('text', addText);
    this.#parser.on('cdata', addText);
    this.#parser.on('processinginstruction', ({ target, body }) => listener.onInstruction(`${target} ${body}`));
    this.#parser.on('doctype', () => {
      // What a document type declares is not read: its entities have no text.
      this.#parser.ENTITIES = new Proxy(this.#parser.ENTITIES, {
        get: (known, name) => known[String(name)] ?? '',
      });
    });
    this.#parser.on('error', () => {
      throw new EndError();
    });
  }

  write(text: string): void {
    this.#tree.read(() => this.#parser.write(text));
  }

  end(): void {
    this.#tree.read(() => this.#parser.close());
  }
}

/** The namespaces that prefixes mean at a place of a document. https://www.w3.org/TR/xml-names/#scoping */
class Namespaces {
  /** The nearest declaration last. */
  readonly #byPrefix = new Map<string, string[]>();
  /** The prefixes that each open element declares. */
  readonly #declared: string[][] = [];

  enter(attributes: Record<string, string>): void {
    const prefixes: string[] = [];
    for (const [name, namespace] of Object.entries(attributes)) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      const prefix = name.slice('xmlns:'.length);
      prefixes.push(prefix);
      const outer = this.#byPrefix.get(prefix);
      if (outer) outer.push(namespace);
      else this.#byPrefix.set(prefix, [namespace]);
    }
    this.#declared.push(prefixes);
  }

  leave(): void {
    for (const prefix of this.#declared.pop() ?? []) this.#byPrefix.get(prefix)!.pop();
  }

  /** '' for a prefix that means none. */
  find(prefix: string): string {
    return this.#byPrefix.get(prefix)?.at(-1) ?? '';
  }
}

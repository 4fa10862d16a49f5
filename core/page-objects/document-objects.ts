import type { Element } from 'domhandler';
import { getElementsByTagName, textContent } from 'domutils';
import { html } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import type { Display } from './display.ts';
import { EncodingSearch, isXmlType, joinBytes } from './choose-encoding.ts';
import { readPolicy, readPolicyOfMeta, usualPolicy, type Referrer, type ReferrerPolicy } from './choose-referrer.ts';
import { encodeQuery } from './encode-query.ts';
import { htmlNamespace, HtmlParser, svgNamespace, XmlParser, type DocumentParser } from './document-parser.ts';
import { describeLink, listElementWishes } from './list-element-wishes.ts';
import { matchesMedia } from './media-query.ts';
import { readStyleAttribute, type StyleRules } from './style-rules.ts';
import { StyleUse } from './style-use.ts';
import type { Wish } from './wish.ts';

/** Turns the bytes of a document into text as they come, once enough of them show how. */
class TextReader {
  readonly #search: EncodingSearch;
  readonly #onText: (text: string) => void;
  #waiting: Uint8Array[] = [];
  #decoder: TextDecoder | null = null;

  constructor(search: EncodingSearch, onText: (text: string) => void) {
    this.#search = search;
    this.#onText = onText;
  }

  /** As far as it is known. */
  get encoding(): string {
    return this.#decoder?.encoding ?? 'utf-8';
  }

  write(chunk: Uint8Array): void {
    if (this.#decoder) {
      this.#onText(this.#decoder.decode(chunk, { stream: true }));
      return;
    }
    this.#waiting.push(chunk);
    const decoder = this.#search.add(chunk);
    if (decoder) this.#begin(decoder);
  }

  end(): void {
    if (!this.#decoder) this.#begin(this.#search.end());
    this.#onText(this.#decoder!.decode());
  }

  #begin(decoder: TextDecoder): void {
    this.#decoder = decoder;
    const start = joinBytes(this.#waiting.splice(0));
    this.#onText(decoder.decode(start, { stream: true }));
  }
}

/** It is in all addresses of a document. */
const maximumBaseCharacters = 10_000;

/** What a document wants while it is parsed. Addresses are whole, and of the network. */
export interface DocumentListener {
  onWish(wish: Wish, referrer: Referrer): void;
  /** The text of a `style` element, and whether its media match: only its imports are fetched where they do not. */
  onStyleText(text: string, isApplied: boolean): void;
  onStyleImage(address: string, referrer: Referrer): void;
  onFont(address: string, referrer: Referrer): void;
}

/** Elements whose own policy counts: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#referrer-policy-attributes */
const withPolicy = new Set(['img', 'script', 'link', 'iframe']);

export interface DocumentOptions {
  url: string;
  contentType: string;
  /** Of its answer. */
  referrerPolicy?: ReferrerPolicy;
  /** Where it has no `base` of its own: of a document that came with its parent. Else its URL. */
  baseUrl?: string;
  /** Of the document around it, if that has the same origin. */
  parentEncoding?: string | undefined;
  display: Display;
  listener: DocumentListener;
  /** Asked for each element; false: the document is read no further. */
  hasRoom?: () => boolean;
}

type Styles = Pick<StyleRules, 'rules' | 'fontFaces'>;

/** Finds the objects of a document: parsed as its bytes come, and what it needs is reported as soon as it is seen. */
export class DocumentObjects {
  readonly #display: Display;
  readonly #listener: DocumentListener;
  readonly #isMarkup: boolean;
  readonly #parser: DocumentParser;
  readonly #reader: TextReader;
  readonly #url: string;
  #policy: ReferrerPolicy;
  #baseUrl: string;
  #hasBase = false;
  readonly #waitingStyles: Styles[] = [];
  readonly #ownFamilies = new Set<string>();
  #styleUse: StyleUse | null = null;

  constructor({ url, contentType, display, listener, hasRoom, ...options }: DocumentOptions) {
    this.#display = display;
    this.#listener = listener;
    this.#url = url;
    this.#policy = options.referrerPolicy ?? usualPolicy;
    this.#baseUrl = options.baseUrl ?? url;
    const isXml = isXmlType(contentType);
    this.#isMarkup = isXml || /^\s*text\/html/i.test(contentType);
    this.#parser = new (isXml ? XmlParser : HtmlParser)({
      onElement: (element) => this.#note(element),
      onElementEnd: (element) => this.#noteEnd(element),
      onInstruction: (text) => this.#noteInstruction(text),
      ...(hasRoom && { hasRoom }),
    });
    const search = new EncodingSearch(contentType, options.parentEncoding);
    this.#reader = new TextReader(search, (text) => this.#parser.write(text));
  }

  get title(): string {
    const [title] = getElementsByTagName('title', this.#parser.document.children, true, 1);
    return title ? textContent(title).trim().replaceAll(/\s+/g, ' ') : '';
  }

  write(chunk: Uint8Array): void {
    if (this.#isMarkup) this.#reader.write(chunk);
  }

  /** Only now it is known which elements a style sheet has to match. */
  end(): void {
    this.#reader.end();
    this.#parser.end();
    this.#styleUse = new StyleUse(this.#parser.document, this.#ownFamilies, {
      onImage: (address, referrer = this.referrer) => this.#listener.onStyleImage(address, referrer),
      onFont: (address, referrer = this.referrer) => this.#listener.onFont(address, referrer),
    });
    for (const styles of this.#waitingStyles.splice(0)) this.#styleUse.add(styles);
  }

  /** What its addresses are relative to, as far as it has come. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** Whether it is as of old, without a type of document. */
  get isQuirky(): boolean {
    return adapter.getDocumentMode(this.#parser.document) === html.DOCUMENT_MODE.QUIRKS;
  }

  /** As far as it has come. */
  get referrer(): Referrer {
    return { url: this.#url, policy: this.#policy };
  }

  /** Rules of a style sheet whose addresses are relative to that of `sheet`, or to the document's base for its own. */
  addStyles({ rules, fontFaces }: Styles, sheet?: Referrer): void {
    const sheetUrl = sheet?.url ?? this.#baseUrl;
    const referrer = sheet ?? this.referrer;
    const styles = {
      rules: rules.map((rule) => ({
        ...rule,
        referrer,
        images: rule.images.filter(isAddress).flatMap((image) => resolveAddress(image, sheetUrl) ?? []),
      })),
      fontFaces: fontFaces.flatMap((face) => {
        const address = resolveAddress(face.address, sheetUrl);
        return address === null ? [] : [{ ...face, address, referrer }];
      }),
    };
    if (this.#styleUse) this.#styleUse.add(styles);
    else this.#waitingStyles.push(styles);
  }

  /** By its name in the Encoding standard, as far as it is known. */
  get encoding(): string {
    return this.#reader.encoding;
  }

  /** What the answer itself names, before any of the document has come. */
  noteLinks(value: string): void {
    for (const attributes of readLinkHeader(value)) {
      const relations = (attributes.rel ?? '').toLowerCase().split(/\s+/);
      if (!relations.includes('preload') && !relations.includes('modulepreload')) continue;
      this.#noteWishes(
        describeLink({ ...attributes, rel: relations.join(' ').replaceAll('stylesheet', '') }, this.#display),
        readPolicy(attributes.referrerpolicy),
      );
    }
  }

  resolve(address: string): string | null {
    return resolveAddress(encodeQuery(address.trim(), this.encoding), this.#baseUrl);
  }

  /** https://www.w3.org/TR/xml-stylesheet/ */
  #noteInstruction(text: string): void {
    if (!/^xml-stylesheet\s/.test(text)) return;
    const attributes = Object.fromEntries(
      Array.from(
        text.matchAll(/(?<![\w-])([\w-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)')/g),
        ([, name, double, single]) => [name!, double ?? single ?? ''],
      ),
    );
    const rel = attributes.alternate === 'yes' ? 'alternate stylesheet' : 'stylesheet';
    this.#noteWishes(describeLink({ ...attributes, rel }, this.#display));
  }

  #note(element: Element): void {
    if (!isShown(element)) return;
    const isBase = element.name === 'base' && element.namespace === htmlNamespace;
    if (isBase && element.attribs.href !== undefined && !this.#hasBase) {
      this.#hasBase = true;
      const base = this.resolve(element.attribs.href) ?? this.#baseUrl;
      if (base.length <= maximumBaseCharacters) this.#baseUrl = base;
    }
    if (element.name === 'meta' && element.attribs.name?.trim().toLowerCase() === 'referrer')
      this.#policy = readPolicyOfMeta(element.attribs.content) ?? this.#policy;
    const policy = withPolicy.has(element.name) ? readPolicy(element.attribs.referrerpolicy) : null;
    this.#noteWishes(listElementWishes(element, this.#display), policy);
    this.#noteStyle(element.attribs.style);
  }

  #noteWishes(wishes: readonly Wish[], policy: ReferrerPolicy | null = null): void {
    for (const wish of wishes) {
      if (wish.kind === 'inner-document') {
        this.#listener.onWish(wish, this.referrer);
        continue;
      }
      // An attribute of blanks alone is as good as none.
      const address = wish.address.trim() === '' ? null : this.resolve(wish.address);
      if (address !== null)
        this.#listener.onWish({ ...wish, address }, { url: this.#url, policy: policy ?? this.#policy });
    }
  }

  #noteStyle(style: string | undefined): void {
    if (style === undefined || !/url\(|image-set|font/i.test(style)) return;
    const { images, fontFamilies } = readStyleAttribute(style, this.#display);
    for (const family of fontFamilies) this.#ownFamilies.add(family);
    for (const image of images.filter(isAddress)) {
      const address = this.resolve(image);
      if (address !== null) this.#listener.onStyleImage(address, this.referrer);
    }
  }

  #noteEnd(element: Element): void {
    const { type = '', media } = element.attribs;
    if (element.name !== 'style' || !isShown(element) || !/^(|text\/css)$/i.test(type)) return;
    this.#listener.onStyleText(textContent(element), matchesMedia(media, this.#display));
  }
}

/** An element shows something only in a vocabulary that browsers know. */
function isShown({ namespace }: Element): boolean {
  return namespace === htmlNamespace || namespace === svgNamespace;
}

/** An empty one is none, and a fragment alone means the document itself. https://drafts.csswg.org/css-values/#local-urls */
function isAddress(address: string): boolean {
  return address.trim() !== '' && !address.startsWith('#');
}

/**
 * The links of a `Link` header, each as the attributes that a `link` element would have. https://www.rfc-editor.org/rfc/rfc8288#section-3
 * Quotation marks may hold commas and semicolons.
 */
function readLinkHeader(value: string): Record<string, string>[] {
  const links = value.match(/<[^<>]*>(?:"(?:[^"\\]|\\.)*"|[^",])*/g) ?? [];
  return links.map((link) => {
    const [, href = '', rest = ''] = /^<([^<>]*)>([\s\S]*)$/.exec(link) ?? [];
    const parameters = [...rest.matchAll(/;\s*([\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/g)];
    const attributes = parameters.map(([, name, quoted, bare]): [string, string] => [
      name!.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '',
    ]);
    // The first of several of one name counts.
    return { ...Object.fromEntries(attributes.reverse()), href: href.trim() };
  });
}

/** The address that a page means, without its fragment; null for one that is not fetched over the network (`data:`, `blob:`, `file:` …) or is none. */
export function resolveAddress(address: string, baseUrl: string): string | null {
  if (!URL.canParse(address, baseUrl)) return null;
  const url = new URL(address, baseUrl);
  if (!/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  return url.href;
}

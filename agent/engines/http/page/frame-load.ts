import { isTag, type Element } from 'domhandler';
import { getElementsByTagName, textContent } from 'domutils';
import type { FetchedObject } from '../fetch/hop.ts';
import type { Display } from './display.ts';
import { HtmlParser } from './html-parser.ts';
import { listElementWishes, type Wish } from './list-element-wishes.ts';
import { resolveAddress } from './resolve-address.ts';
import { readStyleAttribute, type FontFace, type StyleRule } from './style-rules.ts';
import { StyleUse } from './style-use.ts';
import { TextReader } from './text-reader.ts';

/** What a frame wants while it is parsed. Addresses are whole, and of the network. */
export interface FrameListener {
  onWish(frame: FrameLoad, wish: Wish): void;
  /** The text of a `style` element. */
  onStyleText(frame: FrameLoad, text: string): void;
  onStyleImage(frame: FrameLoad, address: string): void;
  onFont(frame: FrameLoad, address: string): void;
}

export interface FrameOptions {
  path: readonly number[];
  /** Of the frames around it, the outermost first. */
  ancestorUrls: readonly string[];
  timeOrigin: number;
  display: Display;
  listener: FrameListener;
}

/** A document that is not of the network is named by that of its parent. */
export interface FrameDocument {
  url: string;
  contentType: string;
}

/** One document while it is loaded: parsed as its bytes come, and what it needs is reported as soon as it is seen. */
export class FrameLoad {
  readonly options: FrameOptions;
  readonly url: string;
  /** What this frame was the first to ask for, as far as it is over. */
  readonly resources: FetchedObject[] = [];
  /** Its own document, once it is whole; null before, and for one that came with its parent. */
  fetched: FetchedObject | null = null;
  parsedEpochMs = 0;
  childCount = 0;
  /** Style sheets of others that apply to it: each is read once, also where they import each other. */
  readonly sheetUrls = new Set<string>();
  #baseUrl: string;
  #hasBase = false;
  readonly #isHtml: boolean;
  readonly #parser: HtmlParser;
  readonly #reader: TextReader;
  readonly #waitingStyles: { rules: StyleRule[]; fontFaces: FontFace[] }[] = [];
  readonly #ownFamilies = new Set<string>();
  #styleUse: StyleUse | null = null;

  constructor({ url, contentType }: FrameDocument, options: FrameOptions) {
    this.options = options;
    this.url = url;
    this.#baseUrl = url;
    this.#isHtml = /^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType);
    this.#parser = new HtmlParser({
      onElement: (element) => this.#note(element),
      onElementEnd: (element) => this.#noteEnd(element),
    });
    this.#reader = new TextReader(contentType, (text) => this.#parser.write(text));
  }

  get title(): string {
    const [title] = getElementsByTagName('title', this.#parser.document.children, true, 1);
    return title ? textContent(title).trim().replaceAll(/\s+/g, ' ') : '';
  }

  write(chunk: Buffer): void {
    if (this.#isHtml) this.#reader.write(chunk);
  }

  /** Resolves when the document was parsed to its end. */
  async end(nowEpochMs: () => number): Promise<void> {
    this.#reader.end();
    await this.#parser.end();
    this.parsedEpochMs = nowEpochMs();
    const { listener } = this.options;
    this.#styleUse = new StyleUse(this.#parser.document, this.#ownFamilies, {
      onImage: (address) => listener.onStyleImage(this, address),
      onFont: (address) => listener.onFont(this, address),
    });
    for (const styles of this.#waitingStyles.splice(0)) this.#styleUse.add(styles);
  }

  /** Rules of a style sheet whose addresses are relative to `sheetUrl`, or to the document's base for its own. */
  addStyles({ rules, fontFaces }: { rules: StyleRule[]; fontFaces: FontFace[] }, sheetUrl = this.#baseUrl): void {
    const styles = {
      rules: rules.map((rule) => ({
        ...rule,
        images: rule.images.flatMap((image) => resolveAddress(image, sheetUrl) ?? []),
      })),
      fontFaces: fontFaces.flatMap((face) => {
        const address = resolveAddress(face.address, sheetUrl);
        return address === null ? [] : [{ ...face, address }];
      }),
    };
    if (this.#styleUse) this.#styleUse.add(styles);
    else this.#waitingStyles.push(styles);
  }

  resolve(address: string): string | null {
    return resolveAddress(address.trim(), this.#baseUrl);
  }

  #note(element: Element): void {
    const { display, listener } = this.options;
    if (element.name === 'base' && element.attribs.href !== undefined && !this.#hasBase) {
      this.#hasBase = true;
      this.#baseUrl = this.resolve(element.attribs.href) ?? this.#baseUrl;
    }
    for (const wish of listElementWishes(element, display)) {
      if (wish.kind === 'inner-document') {
        listener.onWish(this, wish);
        continue;
      }
      const address = this.resolve(wish.address);
      if (address !== null) listener.onWish(this, { ...wish, address });
    }
    this.#noteStyle(element.attribs.style);
  }

  #noteStyle(style: string | undefined): void {
    if (style === undefined || !/url\(|image-set|font/i.test(style)) return;
    const { images, fontFamilies } = readStyleAttribute(style, this.options.display);
    for (const family of fontFamilies) this.#ownFamilies.add(family);
    for (const image of images) {
      const address = this.resolve(image);
      if (address !== null) this.options.listener.onStyleImage(this, address);
    }
  }

  #noteEnd(element: Element): void {
    if (element.name !== 'style' || !isTag(element)) return;
    this.options.listener.onStyleText(this, textContent(element));
  }
}

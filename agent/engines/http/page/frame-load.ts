import { gaveFile } from '#core/agent/page-activity/activity-event.ts';
import { explainUnshownContent } from '#core/metrics/page-failure.ts';
import type { Referrer, ReferrerPolicy } from '#core/page-objects/choose-referrer.ts';
import type { Display } from '#core/page-objects/display.ts';
import { DocumentObjects } from '#core/page-objects/document-objects.ts';
import type { StyleRules } from '#core/page-objects/style-rules.ts';
import type { Wish } from '#core/page-objects/wish.ts';
import type { FetchedObject } from '../fetch/hop.ts';
import { NetworkError } from '../network/network-error.ts';

/** What a frame wants while it is parsed. Addresses are whole, and of the network. */
export interface FrameListener {
  onWish(frame: FrameLoad, wish: Wish, referrer: Referrer): void;
  /** The text of a `style` element, and whether its media match. */
  onStyleText(frame: FrameLoad, text: string, isApplied: boolean): void;
  onStyleImage(frame: FrameLoad, address: string, referrer: Referrer): void;
  onFont(frame: FrameLoad, address: string, referrer: Referrer): void;
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
  referrerPolicy: ReferrerPolicy;
  /** Of one that is not of the network. */
  baseUrl?: string;
  /** Of the document around it, if that has the same origin. */
  parentEncoding?: string | undefined;
}

/** One document while it is loaded, and what came of it. */
export class FrameLoad {
  readonly options: FrameOptions;
  readonly url: string;
  /** What this frame was the first to ask for, as far as it is over. */
  readonly resources: FetchedObject[] = [];
  /** Its own document, once it is whole; null before, and for one that came with its parent. */
  fetched: FetchedObject | null = null;
  parsedEpochMs = 0;
  childCount = 0;
  /** Style sheets of others, and whether they apply to it: each is read once, also where they import each other. */
  readonly sheetUses = new Set<string>();
  readonly #objects: DocumentObjects;

  constructor(document: FrameDocument, options: FrameOptions) {
    this.options = options;
    this.url = document.url;
    const { display, listener } = options;
    this.#objects = new DocumentObjects({
      ...document,
      display,
      listener: {
        onWish: (wish, referrer) => listener.onWish(this, wish, referrer),
        onStyleText: (text, isApplied) => listener.onStyleText(this, text, isApplied),
        onStyleImage: (address, referrer) => listener.onStyleImage(this, address, referrer),
        onFont: (address, referrer) => listener.onFont(this, address, referrer),
      },
    });
  }

  get title(): string {
    return this.#objects.title;
  }

  get encoding(): string {
    return this.#objects.encoding;
  }

  get baseUrl(): string {
    return this.#objects.baseUrl;
  }

  /** Whether a style sheet from this address is read by any type. https://html.spec.whatwg.org/multipage/links.html#link-type-stylesheet */
  takesAnyType(url: URL): boolean {
    return this.#objects.isQuirky && url.origin === new URL(this.url).origin;
  }

  /** Of this document and those around it. */
  get documentUrls(): string[] {
    return [...this.options.ancestorUrls, this.url];
  }

  /** Of its `Link` header. */
  noteLinks(value: string): void {
    this.#objects.noteLinks(value);
  }

  write(chunk: Uint8Array): void {
    this.#objects.write(chunk);
  }

  end(nowEpochMs: () => number): void {
    this.#objects.end();
    this.parsedEpochMs = nowEpochMs();
  }

  get referrer(): Referrer {
    return this.#objects.referrer;
  }

  /** Rules of a style sheet whose addresses are relative to that of `sheet`, or to the document's base for its own. */
  addStyles(styles: Pick<StyleRules, 'rules' | 'fontFaces'>, sheet?: Referrer): void {
    this.#objects.addStyles(styles, sheet);
  }

  resolve(address: string): string | null {
    return this.#objects.resolve(address);
  }
}

/** What browsers show by themselves; anything else they offer to save. */
const shownTypes =
  /^(text\/.*|image\/(png|x-png|apng|jpe?g|pjpeg|gif|webp|avif|bmp|x-ms-bmp|svg\+xml|x-icon|vnd\.microsoft\.icon|x-xbitmap)|(audio|video)\/.*|application\/((x-)?(java|ecma)script|xhtml\+xml|xml|json|[\w.-]+\+(xml|json)))$/;

/** Texts that browsers offer to save all the same. https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/common/mime_util/mime_util.cc */
const savedTexts =
  /^text\/(x-)?(calendar|vcalendar|vcard|directory|ldif|qif|csv|vcf|rtf|comma-separated-values|tab-separated-values|tsv|ofx|vnd\.sun\.j2me\.app-descriptor)$/;

/** What says nothing of the type: browsers look into the document. https://mimesniff.spec.whatwg.org/#sniffing-in-general */
const unknownTypes = /^([^/]*|unknown\/unknown|application\/unknown|\*\/\*)$/;

/** The type of a document: HTML where its head says nothing of it. */
export function readType(contentType = ''): string {
  return unknownTypes.test(essenceOf(contentType)) ? 'text/html' : contentType;
}

/** Without its parameters. */
function essenceOf(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

/** Throws a NetworkError for a page that a browser does not show as a document. */
export function refuseDownload(contentType: string, disposition: string | undefined): void {
  const unshown = explainUnshownContent(contentType);
  if (unshown) throw new NetworkError(unshown.code, unshown.detail);
  const essence = essenceOf(contentType);
  if (isToBeSaved(disposition) || !shownTypes.test(essence) || savedTexts.test(essence))
    throw new NetworkError('unsupported-content', gaveFile);
}

/** Of what a frame saves: it shows nothing. */
export const savedType = 'application/octet-stream';

/** A type that is not known means `attachment` (RFC 6266 section 4.2); one that is missing does not, in browsers. */
export function isToBeSaved(disposition = ''): boolean {
  const type = disposition.split(';', 1)[0]!.trim().toLowerCase();
  return type !== '' && type !== 'inline' && !type.includes('=');
}

import { readPolicyOfAnswer, usualPolicy, type Referrer } from '#core/page-objects/choose-referrer.ts';
import { decodeStyleSheet } from '#core/page-objects/choose-encoding.ts';
import type { Display } from '#core/page-objects/display.ts';
import { DocumentObjects, resolveAddress } from '#core/page-objects/document-objects.ts';
import { readStyleSheet } from '#core/page-objects/style-rules.ts';
import type { Wish } from '#core/page-objects/wish.ts';
import type { Promised, RequestHead } from '../../exchange/heads.ts';
import { findHeader, joinHeader } from '#core/http1/header-list.ts';
import type { OriginAnswer } from '../origin-request.ts';
import { BodyText } from './body-text.ts';
import { deriveRequest, type PageRequest, type Wanted } from './derive-request.ts';

/** No page for people has more, or is deeper; one that nests itself without end stops here. */
const limits = {
  objects: 200,
  importDepth: 8,
  frameDepth: 2,
  redirects: 5,
  sheetBytes: 1024 * 1024,
  allSheetsBytes: 4 * 1024 * 1024,
};
/** No web server takes a longer request. */
const maxHeadBytes = 64 * 1024;
/** A promise that is longer waits for the next one: the other end refuses what is above 512 KiB when packed, or 1 MiB. */
const maxPromiseBytes = 128 * 1024;

export interface Push {
  head: RequestHead;
  wanted: Wanted;
  /** Looks for more in what was fetched. */
  scan: (answer: OriginAnswer) => AnswerScan | null;
}

/** The same, in an answer from this URL: that of the last redirect. */
type Scan = (answer: OriginAnswer, url: string) => AnswerScan | null;

export interface BundleHost {
  display: Display;
  /** Fetches, and sends the answer by a stream of its own, whose number it returns; null when there is no room. */
  push(push: Push): number | null;
  /** Whether one more element of the page, or of a frame of it, may be held. */
  hasRoom(): boolean;
}

interface Place {
  /** What style sheets apply to. */
  document: DocumentObjects;
  /** How deep in imports, or frames. */
  depth: number;
}

/** A style sheet may be preloaded, and come, before an element says that it applies. */
interface Sheet {
  isApplied: boolean;
  /** Of one that has come and was not read. */
  read: (() => void) | null;
}

/** Fetches what a page needs before the browser asks, as a browser with this display would. Each object once. */
export class PageBundle {
  readonly #page: PageRequest;
  readonly #host: BundleHost;
  readonly #known: Set<string>;
  readonly #sheets = new Map<string, Sheet>();
  #fresh: { stream: number; head: RequestHead }[] = [];
  /** Of style sheets that were read. */
  #sheetBytes = 0;

  constructor(page: PageRequest, host: BundleHost) {
    this.#page = page;
    this.#host = host;
    this.#known = new Set([page.head.url]);
  }

  /** For an answer that is a page, of the request itself or in a frame of it. */
  scanPage(answer: OriginAnswer, { url, depth }: { url: string; depth: number }): AnswerScan {
    const { display } = this.#host;
    const document = new DocumentObjects({
      hasRoom: () => this.#host.hasRoom(),
      url,
      contentType: findHeader(answer.headers, 'content-type') ?? 'text/html',
      referrerPolicy: readPolicyOfAnswer(answer.headers) ?? usualPolicy,
      display,
      listener: {
        onWish: (wish, referrer) => this.#wish(wish, referrer, { document, depth }),
        onStyleText: (text, isApplied) => this.#readSheet({ text, sheet: null, isApplied }, { document, depth: 0 }),
        onStyleImage: (address, referrer) => this.#start({ url: address, type: 'image', referrer }, () => null),
        onFont: (address, referrer) => this.#wantFont(address, referrer),
      },
    });
    document.noteLinks(joinHeader(answer.headers, 'link') ?? '');
    return this.#scan(answer, {
      holdsLast: false,
      onBytes: (bytes) => document.write(bytes),
      onEnd: () => document.end(),
    });
  }

  #wish(wish: Wish, referrer: Referrer, { document, depth }: Place): void {
    switch (wish.kind) {
      case 'object':
        // Fonts, and what is asked for by scripts, are asked for with the page's origin: what is for one origin is not for all.
        if (wish.type === 'font') this.#wantFont(wish.address, referrer);
        else if (wish.type === 'style-sheet')
          this.#wantSheet({ url: wish.address, referrer, isApplied: false }, { document, depth: 0 });
        else if (wish.type !== 'fetch') this.#start({ url: wish.address, type: wish.type, referrer }, () => null);
        return;
      case 'style-sheet':
        this.#wantSheet({ url: wish.address, referrer, isApplied: wish.isApplied }, { document, depth: 0 });
        return;
      case 'frame':
        if (depth < limits.frameDepth && wish.initiatorType === 'iframe')
          this.#start({ url: wish.address, type: 'document', referrer }, (answer, url) =>
            isPage(answer) ? this.scanPage(answer, { url, depth: depth + 1 }) : null,
          );
        return;
      case 'inner-document':
        // It is the page's own text, which is short: the browser asks for what is in it.
        return;
    }
  }

  #wantFont(address: string, referrer: Referrer): void {
    const isSameOrigin = new URL(address).origin === new URL(this.#page.head.url).origin;
    if (isSameOrigin) this.#start({ url: address, type: 'font', referrer }, () => null);
  }

  #wantSheet(
    { url, referrer, isApplied }: Omit<Wanted, 'type'> & { isApplied: boolean },
    { document, depth }: Place,
  ): void {
    const sheet = this.#sheets.get(url) ?? { isApplied: false, read: null };
    if (this.#known.size <= limits.objects) this.#sheets.set(url, sheet);
    sheet.isApplied ||= isApplied;
    if (isApplied) sheet.read?.();
    this.#start({ url, type: 'style-sheet', referrer }, (answer, answerUrl) => {
      const contentType = findHeader(answer.headers, 'content-type') ?? '';
      if (!/^\s*text\/css/i.test(contentType)) return null;
      const chunks: Buffer[] = [];
      let length = 0;
      return this.#scan(answer, {
        holdsLast: true,
        onBytes: (bytes) => {
          length += bytes.length;
          if (length <= limits.sheetBytes) chunks.push(bytes);
        },
        onEnd: () => {
          if (length > limits.sheetBytes || this.#sheetBytes + length > limits.allSheetsBytes) return;
          this.#sheetBytes += length;
          const policy = readPolicyOfAnswer(answer.headers) ?? usualPolicy;
          sheet.read = () => {
            sheet.read = null;
            const text = decodeStyleSheet(contentType, Buffer.concat(chunks), document.encoding);
            this.#readSheet({ text, sheet: { url: answerUrl, policy }, isApplied: true }, { document, depth });
          };
          if (sheet.isApplied) sheet.read();
        },
      });
    });
  }

  /** `sheet` is null for the text of a `style` element, whose addresses are relative to the document's. */
  #readSheet(
    { text, sheet, isApplied: isSheetApplied }: { text: string; sheet: Referrer | null; isApplied: boolean },
    { document, depth }: Place,
  ): void {
    const { imports, ...styles } = readStyleSheet(text, this.#host.display, isSheetApplied);
    for (const { address, isApplied } of depth < limits.importDepth ? imports : []) {
      const imported = sheet === null ? document.resolve(address) : resolveAddress(address, sheet.url);
      if (imported === null) continue;
      const referrer = sheet ?? document.referrer;
      this.#wantSheet({ url: imported, referrer, isApplied }, { document, depth: depth + 1 });
    }
    document.addStyles(styles, sheet ?? undefined);
  }

  #start(wanted: Wanted, scan: Scan, redirectCount = 0): void {
    if (this.#known.has(wanted.url) || this.#known.size > limits.objects) return;
    this.#known.add(wanted.url);
    const head = deriveRequest(this.#page, wanted);
    if (countBytes(head.headers) + countBytes(head.url) > maxHeadBytes) return;
    const follow: Push['scan'] = (answer) => {
      const target = readRedirect(answer, wanted.url);
      if (target === null) return answer.status === 200 ? scan(answer, wanted.url) : null;
      const policy = readPolicyOfAnswer(answer.headers) ?? wanted.referrer.policy;
      const next = { ...wanted, url: target, referrer: { ...wanted.referrer, policy } };
      if (redirectCount < limits.redirects) this.#start(next, scan, redirectCount + 1);
      return this.#scan(answer, { holdsLast: false, onBytes: () => undefined, onEnd: () => undefined });
    };
    const stream = this.#host.push({ head, wanted, scan: follow });
    if (stream !== null) this.#fresh.push({ stream, head });
  }

  #scan(
    answer: OriginAnswer,
    { holdsLast, onBytes, onEnd }: { holdsLast: boolean; onBytes: (bytes: Buffer) => void; onEnd: () => void },
  ): AnswerScan {
    const text = new BodyText(answer, onBytes);
    return {
      holdsLast,
      write: (chunk) => text.write(chunk),
      end: async () => {
        await text.end();
        onEnd();
      },
      take: () => this.#take(),
      destroy: () => text.destroy(),
    };
  }

  #take(): Promised | null {
    const promised: Promised = { asked: [], objects: [] };
    const places = new Map<string, number>();
    let bytes = 0;
    while (this.#fresh.length > 0 && bytes < maxPromiseBytes) {
      const { stream, head } = this.#fresh.shift()!;
      const key = JSON.stringify(head.headers);
      let place = places.get(key);
      if (place === undefined) {
        place = promised.asked.push(head.headers) - 1;
        places.set(key, place);
        bytes += countBytes(head.headers);
      }
      promised.objects.push([stream, head.url, place]);
      bytes += countBytes(head.url);
    }
    return promised.objects.length === 0 ? null : promised;
  }
}

/** As a promise has it. */
function countBytes(value: string | readonly string[]): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export function isPage({ status, headers }: OriginAnswer): boolean {
  return status === 200 && /^\s*(text\/html|application\/xhtml\+xml)/i.test(findHeader(headers, 'content-type') ?? '');
}

function readRedirect({ status, headers }: OriginAnswer, url: string): string | null {
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  const location = findHeader(headers, 'location');
  return isRedirect && location !== null ? resolveAddress(location, url) : null;
}

/** Looks for objects to fetch ahead in an answer, as it passes. */
export interface AnswerScan {
  /** Whether the last bytes wait until it is known what the whole names. */
  holdsLast: boolean;
  write(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  /** What was begun, which the other end is to know before it has the bytes that name it. In parts, until null. */
  take(): Promised | null;
  /** The answer broke off, or the page was left. */
  destroy(): void;
}

import { describeExcess } from '#core/metrics/page-failure.ts';
import { mostFrames, mostRequests } from '#core/metrics/snapshot-bounds.ts';
import { usualPolicy, type Referrer } from '#core/page-objects/choose-referrer.ts';
import { decodeStyleSheet } from '#core/page-objects/choose-encoding.ts';
import type { Display } from '#core/page-objects/display.ts';
import { resolveAddress } from '#core/page-objects/document-objects.ts';
import { readStyleSheet } from '#core/page-objects/style-rules.ts';
import { urgencies, type Wish } from '#core/page-objects/wish.ts';
import { readPolicyOfHeaders, type FetchedObject, type PageRequest } from '../fetch/hop.ts';
import type { PageFetcher } from '../fetch/page-fetcher.ts';
import type { Receiver } from '../fetch/receive-answer.ts';
import { NetworkError } from '../network/network-error.ts';
import { FrameLoad, isToBeSaved, readType, refuseDownload, savedType, type FrameListener } from './frame-load.ts';

export interface PageOptions {
  fetcher: PageFetcher;
  display: Display;
  nowEpochMs: () => number;
}

/** Deeper than any page for people is; a page that nests itself in its frames without end stops here. Of a page with more frames or objects there is no Snapshot. */
const limits = { frameDepth: 10, frames: mostFrames, objects: mostRequests / 2, importDepth: 16 };

interface Sheet {
  /** Null for what failed, or is no style sheet. */
  text: string | null;
  /** Where it came from in the end. */
  referrer: Referrer;
}

interface SheetText {
  text: string;
  /** Null for that of a `style` element, whose addresses are relative to the document's. */
  sheet: Referrer | null;
  isApplied: boolean;
  depth: number;
}

/** Loads one page with everything in it. What it asks for twice, it asks for once. */
export class LoadingPage implements FrameListener {
  /** Those whose documents have begun to come, the page itself first. */
  readonly frames: FrameLoad[] = [];
  /** The page's own document, once it is over. */
  main: FetchedObject | null = null;
  /** What the page has too much of; null where it has not. */
  excess: string | null = null;
  /** When nothing was left to fetch; 0 before. */
  loadedEpochMs = 0;
  readonly #options: PageOptions;
  readonly #objects = new Map<string, Promise<void>>();
  readonly #sheets = new Map<string, Promise<Sheet>>();
  #frameCount = 0;
  #underWayCount = 0;
  readonly #idle = Promise.withResolvers<void>();

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** Resolves when nothing is left to fetch. Rejects only for a bug. */
  async load(url: string): Promise<void> {
    const asked: PageRequest = {
      url,
      type: 'document',
      urgency: urgencies.document,
      initiatorUrl: null,
      referrer: null,
      initiatorType: 'navigation',
      isMainDocument: true,
      documentUrls: [],
    };
    this.#track(this.#loadFrame(asked, { path: [], ancestorUrls: [], parent: null }));
    await this.#idle.promise;
    this.loadedEpochMs = this.#options.nowEpochMs();
  }

  onWish(frame: FrameLoad, wish: Wish, referrer: Referrer): void {
    switch (wish.kind) {
      case 'object':
        if (wish.type === 'style-sheet')
          this.#track(this.#fetchSheet(frame, wish.address, referrer).then(() => undefined));
        else this.#fetchObject(frame, { ...wish, url: wish.address, initiatorUrl: frame.url, referrer });
        return;
      case 'style-sheet':
        this.#track(
          this.#loadSheet(frame, {
            address: wish.address,
            referrer,
            isApplied: wish.isApplied,
            depth: 0,
          }),
        );
        return;
      case 'frame':
        this.#openFrame(frame, wish, referrer);
        return;
      case 'inner-document':
        this.#openInnerDocument(frame, wish.html);
    }
  }

  onStyleText(frame: FrameLoad, text: string, isApplied: boolean): void {
    this.#readSheet(frame, { text, sheet: null, isApplied, depth: 0 });
  }

  onStyleImage(frame: FrameLoad, address: string, referrer: Referrer): void {
    this.#fetchObject(frame, {
      url: address,
      type: 'image',
      urgency: urgencies.image,
      initiatorUrl: frame.url,
      referrer,
      initiatorType: 'css',
    });
  }

  onFont(frame: FrameLoad, address: string, referrer: Referrer): void {
    this.#fetchObject(frame, {
      url: address,
      type: 'font',
      urgency: urgencies.blocking,
      initiatorUrl: frame.url,
      referrer,
      initiatorType: 'css',
    });
  }

  #openFrame(parent: FrameLoad, { address, initiatorType }: Wish & { kind: 'frame' }, referrer: Referrer): void {
    const place = { path: [...parent.options.path, parent.childCount++], ancestorUrls: parent.documentUrls, parent };
    // As in browsers: a page may contain itself once.
    const isRepeated = place.ancestorUrls.filter((url) => url === address).length > 1;
    if (isRepeated || !this.#mayOpen(place.path)) return;
    this.#track(
      this.#loadFrame(
        {
          ...{ url: address, type: 'document', urgency: urgencies.document },
          ...{ initiatorUrl: parent.url, referrer, initiatorType, documentUrls: place.ancestorUrls },
        },
        place,
      ),
    );
  }

  /** Of a frame that may be opened it is taken that it is. */
  #mayOpen(path: readonly number[]): boolean {
    if (path.length > limits.frameDepth) return false;
    if (this.#frameCount >= limits.frames) {
      this.excess ??= `The page has more than ${limits.frames} frames`;
      return false;
    }
    this.#frameCount++;
    return true;
  }

  async #loadFrame(
    asked: PageRequest,
    { parent, ...place }: { path: number[]; ancestorUrls: string[]; parent: FrameLoad | null },
  ): Promise<void> {
    const { fetcher, display, nowEpochMs } = this.#options;
    const timeOrigin = nowEpochMs();
    let frame: FrameLoad | null = null;
    let bytes = 0;
    const receiver: Receiver = {
      onHead: ({ url, headers }) => {
        const { 'content-length': length, 'content-disposition': disposition, link } = headers;
        const isSaved = !asked.isMainDocument && isToBeSaved(disposition);
        const contentType = isSaved ? savedType : readType(headers['content-type']);
        if (asked.isMainDocument) refuseDownload(contentType, disposition);
        refuseExcess(Number(length ?? 0));
        const referrerPolicy = readPolicyOfHeaders(headers) ?? usualPolicy;
        const isOwn = parent !== null && url.origin === new URL(parent.url).origin;
        const parentEncoding = isOwn ? parent.encoding : undefined;
        frame = new FrameLoad(
          { url: url.href, contentType, referrerPolicy, parentEncoding },
          { ...place, timeOrigin, display, listener: this },
        );
        this.frames.push(frame);
        if (link !== undefined && !isSaved) frame.noteLinks([link].flat().join(', '));
      },
      onBody: (chunk) => {
        bytes += chunk.length;
        refuseExcess(bytes);
        frame!.write(chunk);
      },
    };
    const fetched = await fetcher.fetch(asked, receiver);
    if (asked.isMainDocument) this.main = fetched;
    const loaded = frame as FrameLoad | null;
    if (!loaded) return;
    loaded.fetched = fetched;
    loaded.end(nowEpochMs);
  }

  #openInnerDocument(parent: FrameLoad, html: string): void {
    const { path, display } = parent.options;
    const innerPath = [...path, parent.childCount++];
    if (!this.#mayOpen(innerPath)) return;
    const options = {
      path: innerPath,
      ancestorUrls: parent.documentUrls,
      timeOrigin: this.#options.nowEpochMs(),
      display,
      listener: this,
    };
    const { url, policy: referrerPolicy } = parent.referrer;
    const { baseUrl } = parent;
    const frame = new FrameLoad({ url, contentType: 'text/html; charset=utf-8', referrerPolicy, baseUrl }, options);
    this.frames.push(frame);
    frame.write(Buffer.from(html));
    frame.end(this.#options.nowEpochMs);
  }

  #fetchObject(frame: FrameLoad, asked: Omit<PageRequest, 'documentUrls'>): void {
    if (this.#objects.has(asked.url)) return;
    if (this.#objects.size >= limits.objects) {
      this.excess ??= `The page has more than ${limits.objects} objects`;
      return;
    }
    const over = this.#options.fetcher
      .fetch({ ...asked, documentUrls: frame.documentUrls }, {})
      .then((fetched) => void frame.resources.push(fetched));
    this.#objects.set(asked.url, over);
    this.#track(over);
  }

  async #loadSheet(
    frame: FrameLoad,
    { address, referrer, isApplied, depth }: { address: string; referrer: Referrer; isApplied: boolean; depth: number },
  ): Promise<void> {
    const { text, referrer: sheet } = await this.#fetchSheet(frame, address, referrer);
    const use = `${sheet.url} ${isApplied}`;
    if (text === null || frame.sheetUses.has(use)) return;
    frame.sheetUses.add(use);
    this.#readSheet(frame, { text, sheet, isApplied, depth });
  }

  #readSheet(frame: FrameLoad, { text, sheet, depth, ...use }: SheetText): void {
    const { imports, ...styles } = readStyleSheet(text, frame.options.display, use.isApplied);
    for (const { address, isApplied } of depth < limits.importDepth ? imports : []) {
      const imported = sheet === null ? frame.resolve(address) : resolveAddress(address, sheet.url);
      const referrer = sheet ?? frame.referrer;
      if (imported !== null)
        this.#track(this.#loadSheet(frame, { address: imported, referrer, isApplied, depth: depth + 1 }));
    }
    frame.addStyles(styles, sheet ?? undefined);
  }

  #fetchSheet(frame: FrameLoad, url: string, referrer: Referrer): Promise<Sheet> {
    const known = this.#sheets.get(url);
    if (known) return known;
    const sheet = this.#receiveSheet(frame, {
      url,
      type: 'style-sheet',
      urgency: urgencies.blocking,
      initiatorUrl: referrer.url,
      referrer,
      initiatorType: 'link',
      documentUrls: frame.documentUrls,
    });
    this.#sheets.set(url, sheet);
    return sheet;
  }

  async #receiveSheet(frame: FrameLoad, asked: PageRequest): Promise<Sheet> {
    const sheet = { contentType: '', isCss: false, policy: usualPolicy, bytes: 0, chunks: [] as Buffer[] };
    const fetched = await this.#options.fetcher.fetch(asked, {
      onHead: ({ url, status, headers }) => {
        sheet.contentType = headers['content-type'] ?? '';
        sheet.policy = readPolicyOfHeaders(headers) ?? usualPolicy;
        const isNamed = /^\s*(text\/css|$)/i.test(sheet.contentType);
        sheet.isCss = status < 400 && (isNamed || frame.takesAnyType(url));
      },
      onBody: (chunk) => {
        sheet.bytes += chunk.length;
        refuseExcess(sheet.bytes);
        sheet.chunks.push(chunk);
      },
    });
    frame.resources.push(fetched);
    const text = () => decodeStyleSheet(sheet.contentType, Buffer.concat(sheet.chunks), frame.encoding);
    return { text: sheet.isCss ? text() : null, referrer: { url: fetched.url, policy: sheet.policy } };
  }

  #track(work: Promise<void>): void {
    this.#underWayCount++;
    work.then(
      () => {
        this.#underWayCount--;
        if (this.#underWayCount === 0) this.#idle.resolve();
      },
      (error: unknown) => this.#idle.reject(error),
    );
  }
}

function refuseExcess(bytes: number): void {
  const excess = describeExcess(bytes);
  if (excess) throw new NetworkError(excess.code, excess.detail);
}

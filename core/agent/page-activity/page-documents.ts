import type { TrackedRequest } from './tracked-request.ts';

/** A document that the page itself has had. */
export interface PageDocument {
  id: string | null;
  url: string;
  /** When the browser began to load it; null where it does not say. */
  startEpochMs: number | null;
}

/** How long after its successor has come a document may still be reported to ask for something. */
const asItGoesMs = 50;

/** The documents that the page itself has had, one after another, since the first request. */
export class PageDocuments {
  readonly list: PageDocument[] = [];
  #lastCameEpochMs = 0;

  get last(): PageDocument | undefined {
    return this.list.at(-1);
  }

  add(document: PageDocument, cameEpochMs: number): void {
    this.list.push(document);
    this.#lastCameEpochMs = cameEpochMs;
  }

  /** Whether one with this address, which another has replaced, asks at this time. Later on, a page that gave itself an earlier address asks. */
  hasLeft(url: string | null, askedEpochMs: number): boolean {
    if (this.last?.url === url || askedEpochMs > this.#lastCameEpochMs + asItGoesMs) return false;
    return this.list.some((document) => document.url === url);
  }
}

/** A document that came into a frame. */
export interface Arrival {
  frameId: string;
  /** Null where the browser gives none. */
  documentId: string | null;
  startEpochMs: number;
  /** When its answer came, where the empty document of a new frame was there until then; otherwise infinite. */
  answeredEpochMs: number;
  /** The address of the document before it, where that is another. */
  leftUrl: string | undefined;
  /** The frames that were in the document before it. */
  below: ReadonlySet<string>;
}

/** Whether what came before the document asked for the request, so that nobody waits for it. */
export function isOfFormer(
  { first, place }: TrackedRequest,
  { frameId, documentId, startEpochMs, answeredEpochMs, leftUrl, below }: Arrival,
): boolean {
  if (place.frameId === null || (documentId !== null && first.id === documentId)) return false;
  if (below.has(place.frameId)) return true;
  if (place.frameId !== frameId) return false;
  const isNavigation = first.type === 'document' && (place.documentId ?? first.id) === first.id;
  // Chrome may report what a document asks for before the document, as of the empty one that its frame began with.
  if (place.documentId !== null && documentId !== null && !isNavigation)
    return place.documentId !== documentId && first.startEpochMs < answeredEpochMs;
  if (first.startEpochMs < startEpochMs) return true;
  // What a page asks for as it goes.
  return !isNavigation && place.documentUrl !== null && place.documentUrl === leftUrl;
}

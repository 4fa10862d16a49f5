import type { EndSource, NetworkRequest } from '../../metrics/network-request.ts';

/** Where a request belongs. Ids are the browser's own. */
export interface RequestPlace {
  /** The frame whose document asked, or that is led to it; null where the browser does not report it, as for workers. */
  frameId: string | null;
  /** The document that asked, or that comes of it; null where it is not known. */
  documentId: string | null;
  /** Its address, where the browser gives that and no id; null where it is not known. */
  documentUrl: string | null;
  /** What reports it: the page, a frame in a process of its own, a worker. */
  targetId: string | null;
  /** Whether its end may never be reported, because nobody reads its body: a `fetch()` in Chrome. */
  mayStayUnread: boolean;
  /** Whether it belongs to a page that is loaded ahead, and not shown yet. */
  isPrerendered: boolean;
}

/** What a browser reports of one page, in no browser's words. Times are epoch ms. */
export type ActivityEvent =
  /** A request, or the next hop of one. Reported once more, it changes nothing. */
  | { kind: 'request-began'; request: NetworkRequest; place?: Partial<RequestPlace> }
  /** The head of an answer. `targetId`: who reports it, if another than before. */
  | {
      kind: 'answer-came';
      id: string;
      hop?: number;
      fields: Partial<NetworkRequest>;
      /** Where `fields` has no exchange to say it. */
      mimeType?: string | undefined;
      /** Of the encoded body; null where the head does not say. */
      expectedBytes?: number | null;
      headBytes?: number;
      targetId?: string;
    }
  | { kind: 'data-came'; id: string; atEpochMs: number; encodedBytes: number; decodedBytes: number }
  | { kind: 'request-ended'; id: string; hop?: number; end: RequestEnd }
  /** What the browser learned late of a request: whether it came from the cache, its kind. */
  | { kind: 'request-explained'; id: string; fields: Partial<NetworkRequest> }
  /** It was no request of its own: a look into the cache, or the same reported again. */
  | { kind: 'request-withdrawn'; id: string; hop?: number }
  /** What the page was led to is a file to download. Browsers report it before or after the end of its request, which is that of any other answer in Firefox. */
  | { kind: 'file-given'; url: string; atEpochMs: number }
  /** A frame is led to a document, by a request or without one. */
  | { kind: 'navigation-began'; frameId: string; navigationId: string | null; atEpochMs: number }
  | {
      kind: 'document-came';
      frameId: string;
      documentId: string | null;
      url: string;
      atEpochMs: number;
      /** Whether it is shown again as it was left, with its load event in the past. */
      isRestored?: boolean;
    }
  | { kind: 'frame-came'; frameId: string; parentFrameId: string }
  | { kind: 'frame-gone'; frameId: string; atEpochMs: number }
  /** A worker, or a frame in a process of its own; one that is started by another goes with it. */
  | { kind: 'target-came'; targetId: string; parentTargetId: string | null }
  | { kind: 'target-gone'; targetId: string; atEpochMs: number }
  /** The load event of the page. `isSure`: of the document that is there now, even where a navigation seems to be under way. */
  | { kind: 'loaded'; isSure?: boolean }
  /** Nothing has come for a while. */
  | { kind: 'silence'; atEpochMs: number };

export type EventOf<Kind extends ActivityEvent['kind']> = Extract<ActivityEvent, { kind: Kind }>;

export interface RequestEnd {
  atEpochMs: number;
  by: EndSource;
  /** In the browser's words; null where the whole answer came. */
  failure: string | null;
  receivedBytes?: number | null;
  fields?: Partial<NetworkRequest>;
}

/** Why a request of a worker, or of a frame in a process of its own, has no other end. */
export const goneAway = 'The frame or worker went away';

/** Why a navigation gave no page, in the words of no browser. */
export const gaveFile = 'The address gives a file to download';

/** Likewise, of one that was redirected to another program, or to a page of the browser's own. */
export const ledOutside = 'The address leads to no page of the web';

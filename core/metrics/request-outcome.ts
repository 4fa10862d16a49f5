import type { NetworkRequest } from './network-request.ts';
import { maximumUrlCharacters } from './snapshot-bounds.ts';

/**
 * How a request that has ended went, the same for every engine; `docs/metrics.md` lists it.
 * - `came`: an answer below 400. What the page may do with it is another matter: 204, 205, a download, a frame that its header forbids, what CORS refuses to a script.
 * - `given-up`: the page wanted it no more: it aborted it, stopped, removed the frame or worker, or went elsewhere.
 * - `never-sent`: the browser forbade it before it was sent: it is no object of the page.
 * - `withheld`: an answer came, and the browser kept it from the page (CORP, COEP, ORB).
 * - `lost`: an error status, no answer, or one that broke off.
 */
export type RequestOutcome = 'came' | 'given-up' | 'never-sent' | 'withheld' | 'lost';

type Ended = Pick<NetworkRequest, 'failure' | 'status' | 'type' | 'endedBy'>;

/** In the words of Chrome, of Firefox and of our own. */
const givenUp =
  /^(net::ERR_ABORTED|NS_BINDING_ABORTED|NS_BASE_STREAM_CLOSED|The frame or worker went away|The address (gives a file to download|leads to no page of the web))/;
/** What is a frame that was given up before it was sent, as by a policy of the page, in Firefox. */
export const notSent = '(not sent)';
/** Chrome's `blockedReason`, what it and our own engine say of a port that no browser asks, and what it says to extensions of what one of them forbids. Of others, Firefox reports no requests. */
const neverSent =
  /\((csp|mixed-content|subresource-filter|inspector|not sent)\)$|^net::ERR_(UNSAFE_PORT|BLOCKED_BY_CLIENT)$|No browser loads anything from port \d+$/;
/** Of a frame. */
const forbiddenByHeader =
  /^(net::ERR_BLOCKED_BY_RESPONSE( \(other\))?|net::ERR_BLOCKED_BY_CSP|NS_ERROR_XFO_VIOLATION|NS_ERROR_CSP_FRAME_ANCESTOR_VIOLATION)$/;
const withheld = /^(net::ERR_BLOCKED_BY_(RESPONSE|ORB)|NS_ERROR_DOM_(CORP|COEP)_FAILED)/;
/**
 * What says that CORS refused: a script may not read the answer, which came as well as any other, or the answer to the preflight, or to the request itself, does not let the request follow it. Firefox
 * reports nothing of the first, and of a redirect that is not followed what it did last. The words before `(cors)` alone are those of an answer that a service worker failed to give.
 */
const refusedByCors = /\(cors\)$|^NS_ERROR_DOM_BAD_URI$/;
/** A redirect, of Chrome, that a policy of the page forbids to follow, or its script. */
const notFollowed = /\(csp\)$|^net::ERR_FAILED$/;
const redirectRefusedByCors = /^NS_ERROR_(UNEXPECTED|NET_ON_RECEIVING_FROM)$/;

/** A script or a style sheet that names itself something else: the browser does not use it. Chrome calls it aborted. */
const refusedByType = /^NS_ERROR_CORRUPTED_CONTENT$/;
const mustNameItself: ReadonlySet<NetworkRequest['type']> = new Set(['script', 'style-sheet']);

export function outcomeOf({ failure, status, type, endedBy }: Ended): RequestOutcome {
  const hasAnswer = status !== null && status > 0;
  if (hasAnswer && status >= 400) return 'lost';
  if (endedBy === 'document-replaced' || endedBy === 'target-gone') return 'given-up';
  if (failure === null) return 'came';
  if (!hasAnswer && neverSent.test(failure)) return 'never-sent';
  if (givenUp.test(failure)) return 'given-up';
  if (hasAnswer && status >= 300 && status < 400 && notFollowed.test(failure)) return 'came';
  if (type === 'document' && forbiddenByHeader.test(failure)) return 'came';
  if (type !== 'document' && refusedByCors.test(failure)) return 'came';
  if (type !== 'document' && !hasAnswer && redirectRefusedByCors.test(failure)) return 'came';
  if (mustNameItself.has(type) && hasAnswer && refusedByType.test(failure)) return 'came';
  return withheld.test(failure) ? 'withheld' : 'lost';
}

/** Whether it counts as a failed object. */
export function hasFailed(request: Ended): boolean {
  const outcome = outcomeOf(request);
  return outcome === 'lost' || outcome === 'withheld';
}

/** Whether its failure says that the page or the browser let it go. */
export function isGivenUp({ failure }: Pick<NetworkRequest, 'failure'>): boolean {
  return failure !== null && givenUp.test(failure);
}

/** Of a navigation: whether it gave no page, as a download, no content, or one before which another came. */
export function hasLedNowhere({ failure, status }: Pick<NetworkRequest, 'failure' | 'status'>): boolean {
  return isGivenUp({ failure }) || status === 204 || status === 205;
}

type Known = Pick<NetworkRequest, 'id' | 'hop' | 'url' | 'type' | 'isMainDocument' | 'startEpochMs' | 'exchange'> &
  Partial<Pick<NetworkRequest, 'isRenderBlocking' | 'initiatorUrl'>>;

/** A request that has begun, of which nothing more is known. A page chooses its addresses as it likes: they are cut to what a Snapshot takes. */
export function beginRequest({ url, initiatorUrl = null, isRenderBlocking = null, ...known }: Known): NetworkRequest {
  return {
    ...known,
    url: url.slice(0, maximumUrlCharacters),
    isRenderBlocking,
    initiatorUrl: initiatorUrl?.slice(0, maximumUrlCharacters) ?? null,
    sentEpochMs: null,
    responseEpochMs: null,
    endEpochMs: null,
    failure: null,
    status: null,
    protocol: null,
    connectionId: null,
    fromCache: false,
    receivedBytes: null,
    decodedBytes: null,
  };
}

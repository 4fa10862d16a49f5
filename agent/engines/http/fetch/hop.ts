import type { IncomingHttpHeaders } from 'node:http';
import { readPolicyOfAnswer, type Referrer, type ReferrerPolicy } from '#core/page-objects/choose-referrer.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { ObjectType, Urgency } from '#core/page-objects/wish.ts';
import { NetworkError } from '../network/network-error.ts';
import type { ConnectionTimes } from '../network/open-connection.ts';

/** What a page asks for. */
export interface PageRequest {
  url: string;
  type: ObjectType;
  urgency: Urgency;
  /** The document or style sheet that names it; null for the page itself. */
  initiatorUrl: string | null;
  /** Null for the page itself. */
  referrer: Referrer | null;
  /** As Resource Timing names what asked. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-initiatortype */
  initiatorType: string;
  isMainDocument?: boolean;
  /** The documents that it is in, the page first; none for the page itself. */
  documentUrls: readonly string[];
}

/** One request of a chain of redirects, while it is under way and after. */
export interface Hop {
  /** What the Snapshot has of it. */
  readonly request: NetworkRequest;
  /** Of the connection, where it was opened for this request; null for one that was there, and for what came from the cache. */
  connectionTimes: ConnectionTimes | null;
  /** Bytes of the body as they came. */
  encodedBytes: number;
  failure: NetworkError | null;
}

/** Something that was asked for, with all its redirects, when it is over. */
export interface FetchedObject {
  readonly hops: readonly [Hop, ...Hop[]];
  /** Where the redirects led, without a fragment. */
  readonly url: string;
  readonly initiatorType: string;
}

export function lastHop({ hops }: FetchedObject): Hop {
  return hops.at(-1)!;
}

/** As Chrome: net::ERR_TOO_MANY_REDIRECTS. */
export const maximumRedirects = 20;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
}

export function isRedirect({ status, headers }: Answer): boolean {
  return [301, 302, 303, 307, 308].includes(status) && (headers.location ?? '').trim() !== '';
}

/** Where an answer leads; null for one that is the end. Throws a NetworkError for an address that is not followed. */
export function findRedirect(answer: Answer, from: URL): URL | null {
  if (!isRedirect(answer)) return null;
  // Header fields are bytes: those that are not ASCII are sent on as they are.
  const location = answer.headers.location!.replaceAll(
    /[\u0080-\u00ff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (!URL.canParse(location, from))
    throw new NetworkError('unsupported-content', `It redirects to ${location}, which is no address`);
  const to = withoutHash(new URL(location, from).href);
  if (!/^https?:$/.test(to.protocol))
    throw new NetworkError('unsupported-content', `It redirects to ${to.protocol}, which is not followed`);
  return to;
}

/** What is asked where the answer leads to. https://w3c.github.io/webappsec-referrer-policy/#set-requests-referrer-policy-on-redirect */
export function followPolicy(asked: PageRequest, { headers }: Answer): PageRequest {
  const policy = readPolicyOfHeaders(headers);
  return asked.referrer && policy ? { ...asked, referrer: { ...asked.referrer, policy } } : asked;
}

export function readPolicyOfHeaders({ 'referrer-policy': value = '' }: IncomingHttpHeaders): ReferrerPolicy | null {
  return readPolicyOfAnswer(['referrer-policy', [value].flat().join(', ')]);
}

/** For the answer after which no redirect is followed. */
export function refuseRedirect(answer: Answer, from: URL): null {
  if (findRedirect(answer, from)) throw new NetworkError('redirect-loop', `More than ${maximumRedirects} redirects`);
  return null;
}

export function withoutHash(address: string): URL {
  const url = new URL(address);
  url.hash = '';
  return url;
}

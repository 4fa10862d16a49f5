import type { IncomingHttpHeaders } from 'node:http';
import { NetworkError } from '../network/network-error.ts';

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

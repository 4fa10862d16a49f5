import type { UrlEntry } from '#core/evaluation/pages/url-list.ts';
import { parseUrlLines } from '../evaluation/sections/urls/parse-url-lines.ts';

/**
 * As `parseUrlLines`. An address without a scheme gets the one that a browser's address bar gives it: http for an IP address or this machine, else https.
 * Where HTTP versions are compared it is https for all: browsers use HTTP/2 over TLS alone.
 */
export function parseAddresses(text: string, { comparesProtocols }: { comparesProtocols: boolean }): UrlEntry[] {
  const schemeOf = (address: string) => (!comparesProtocols && isByNumber(address) ? 'http' : 'https');
  return parseUrlLines(text).map((entry) =>
    hasScheme(entry.url) ? entry : { ...entry, url: `${schemeOf(entry.url)}://${entry.url}` },
  );
}

/** `localhost:8080` has a port. */
const hasScheme = (address: string) => /^[a-z][a-z\d+.-]*:(?!\d)/i.test(address);
const isByNumber = (address: string) => /^(localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])([:/]|$)/i.test(address);

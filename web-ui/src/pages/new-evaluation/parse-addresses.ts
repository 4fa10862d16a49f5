import type { UrlEntry } from '#core/evaluation/url-list.ts';
import { parseUrlLines } from '../evaluation/sections/parse-url-lines.ts';

/** As `parseUrlLines`; what is written without a scheme is, as in the address bar of a browser, https, and http where it is an IP address or this machine. */
export function parseAddresses(text: string): UrlEntry[] {
  return parseUrlLines(text).map((entry) => (hasScheme(entry.url) ? entry : { ...entry, url: `${isByNumber(entry.url) ? 'http' : 'https'}://${entry.url}` }));
}

/** `localhost:8080` has a port. */
const hasScheme = (address: string) => /^[a-z][a-z\d+.-]*:(?!\d)/i.test(address);
const isByNumber = (address: string) => /^(localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])([:/]|$)/i.test(address);

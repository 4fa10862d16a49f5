import type { UrlEntry } from '#core/evaluation/url-list.ts';
import { parseUrlLines } from '../evaluation/sections/parse-url-lines.ts';

/** As `parseUrlLines`; what is written without a scheme, as in the address bar of a browser, is https. */
export function parseAddresses(text: string): UrlEntry[] {
  return parseUrlLines(text).map((entry) => (/^[a-z][a-z\d+.-]*:/i.test(entry.url) && !/^[\w.-]+:\d/.test(entry.url) ? entry : { ...entry, url: `https://${entry.url}` }));
}

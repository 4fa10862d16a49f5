import type { CDPSession } from 'puppeteer-core';

/** Addresses that one early hint may name. */
const mostHints = 100;

/**
 * What early hints (103) named for the browser to fetch ahead. Chrome reports neither a request nor an entry of such an object before the page uses it: only the hint shows one that it
 * never uses.
 */
export class HintRecorder {
  readonly #urls = new Set<string>();
  readonly #pageUrls = new Map<string, string>();

  get urls(): readonly string[] {
    return [...this.#urls];
  }

  forget(): void {
    this.#urls.clear();
    this.#pageUrls.clear();
  }

  observe(session: CDPSession): void {
    session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
      if (type === 'Document') this.#pageUrls.set(requestId, request.url);
    });
    session.on('Network.responseReceivedEarlyHints', ({ requestId, headers }) => {
      const pageUrl = this.#pageUrls.get(requestId);
      const link = Object.entries(headers).find(([name]) => name.toLowerCase() === 'link')?.[1];
      if (pageUrl === undefined || link === undefined) return;
      for (const url of readPreloads(link, pageUrl)) if (this.#urls.size < mostHints) this.#urls.add(url);
    });
  }
}

/** The addresses that a Link header has preloaded, as of a script module. https://www.rfc-editor.org/rfc/rfc8288#section-3 */
export function readPreloads(header: string, pageUrl: string): string[] {
  return header
    .split('<')
    .slice(1)
    .flatMap((link) => {
      const [reference = '', parameters = ''] = link.split('>', 2);
      const relation = parameters.split(';').find((parameter) => /^\s*rel\s*=/i.test(parameter));
      const isPreload = relation !== undefined && /\b(?:module)?preload\b/i.test(relation);
      return isPreload && URL.canParse(reference, pageUrl) ? [new URL(reference, pageUrl).href] : [];
    });
}

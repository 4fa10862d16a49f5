import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';

/** Whether a browser uses HTTP/3 at once, for all requests; where it learns of it from an answer (Alt-Svc, RFC 7838), as users' browsers do; or never. */
export type Http3Mode = 'only' | 'discovered' | 'off';

export function readHttp3Mode({ protocols }: Pick<BrowserSettings, 'protocols'>): Http3Mode {
  if (!protocols?.includes('h3')) return 'off';
  return protocols.length === 1 ? 'only' : 'discovered';
}

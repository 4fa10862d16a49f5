import { SiteSchema, type Site, type SiteExchange } from '#core/site/site.ts';

/** A Site with these exchanges, numbered in their order; what they leave out is of a GET to `https://a.test/` in the first visit to its page. */
export function makeSite(exchanges: readonly Partial<SiteExchange>[], rest: Partial<Site> = {}): Site {
  const whole = exchanges.map((exchange, number): SiteExchange => ({
    number,
    page: 1,
    visit: 1,
    url: 'https://a.test/',
    method: 'GET',
    requestHeaders: [],
    requestBodySha256: null,
    status: 200,
    headers: [],
    trailers: [],
    protocol: 'h2',
    connection: null,
    startMs: number,
    connectMs: null,
    tlsMs: null,
    thinkMs: null,
    receiveMs: null,
    initiatorUrl: null,
    body: null,
    ...exchange,
  }));
  const names = new Set(whole.map(({ url }) => new URL(url).hostname));
  return SiteSchema.parse({
    format: 1,
    title: 'A site',
    software: 'test',
    recordedEpochMs: 1_700_000_000_000,
    hosts: [...names].map((name) => ({
      name,
      address: null,
      connectMs: null,
      certificateNames: [],
      certificateChain: null,
      protocols: ['h2'],
    })),
    pages: [{ number: 1, url: 'https://a.test/', title: '', visits: [] }],
    exchanges: whole,
    dropped: [],
    ...rest,
  });
}

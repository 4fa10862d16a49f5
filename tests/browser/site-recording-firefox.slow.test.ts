import { expect, test } from 'vitest';
import { JourneySchema, splitJourney } from '#core/evaluation/journey/journey.ts';
import type { SiteExchange } from '#core/site/site.ts';
import { checkBodies } from '#site/open-site.ts';
import { account } from '#testbed/origin/pages/account-pages.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { recordForTest } from './support/record-origin.ts';

const pathOf = ({ url }: Pick<SiteExchange, 'url'>) => `${new URL(url).pathname}${new URL(url).search}`;

test('Firefox is recorded as Chrome is: every object of three visits, each by new connections', async () => {
  await using origin = await startOrigin();
  const pages = [{ url: `${origin.httpUrl}/images/8` }, { url: `${origin.http2Url}/images/12` }];
  const options = { open: openFirefoxSession, trustedKeys: [origin.trustedKey], visits: 3 };
  await recordForTest(pages, options, async ({ opened }) => {
    const { site } = opened;
    await checkBodies(opened);
    // The warm-up loaded the same before.
    const all = origin.truth.requests();
    const [, first] = all.flatMap(({ url }, index) => (url === pathOf(pages[0]!) ? [index] : []));
    const seen = all.slice(first).filter(({ outcome }) => outcome === 'complete');
    const list = (lines: string[]) => lines.toSorted();
    expect(list(site.exchanges.map((each) => `${each.protocol} ${each.status} ${pathOf(each)}`))).toEqual(
      list(seen.map(({ protocol, status, url }) => `${protocol} ${status} ${url}`)),
    );
    for (const [index, { visits }] of site.pages.entries()) {
      expect(visits.map(({ engine, totalMs }) => [engine.split('/')[0], totalMs !== null])).toEqual(
        Array(3).fill(['Firefox', true]),
      );
      const own = site.exchanges.filter(({ page }) => page === index + 1);
      const connections = new Set(own.map(({ connection }) => connection));
      const ofVisits = new Set(own.map(({ visit, connection }) => `${visit} ${connection}`));
      expect(ofVisits.size).toBe(connections.size);
    }
    // The same bodies in each visit are one.
    expect(new Set(site.exchanges.map(({ body }) => body?.offset)).size).toBeLessThanOrEqual(site.exchanges.length / 2);
  });
});

test('each navigation of a journey is a page, in one tab', async () => {
  await using origin = await startOrigin();
  const { steps, timeout } = JourneySchema.parse({
    title: 'Journey',
    timeout: 30_000,
    steps: [
      { type: 'navigate', url: `${origin.httpUrl}/account/sign-in` },
      { type: 'change', value: account.user, selectors: ['#user'] },
      { type: 'change', value: account.password, selectors: ['#password'] },
      { type: 'keyDown', key: 'Enter', assertedEvents: [{ type: 'navigation' }] },
    ],
  });
  const pages = splitJourney({ steps, timeout }).map(({ leg, address }) => ({ url: address, leg }));
  await recordForTest(pages, { open: openSession, trustedKeys: [], visits: 2 }, ({ opened }) => {
    const { site } = opened;
    expect(site.pages.map(({ visits }) => visits.length)).toEqual([2, 2]);
    const posts = site.exchanges.filter(({ method }) => method === 'POST');
    expect(posts.map(({ page, visit, requestBodySha256 }) => [page, visit, requestBodySha256 !== null])).toEqual([
      [2, 1, true],
      [2, 2, true],
    ]);
    expect(site.pages.map(({ url }) => new URL(url).pathname)).toEqual(['/account/sign-in', '/account/home']);
    const ofHome = site.exchanges.filter(({ page, visit }) => page === 2 && visit === 1);
    expect(ofHome.slice(0, 2).map((each) => `${each.status} ${pathOf(each)}`)).toEqual([
      '303 /account/sign-in?delayMs=0',
      '200 /account/home?delayMs=0',
    ]);
    // The cookie of the session.
    expect(site.dropped.map(({ header }) => header)).toEqual(['cookie', 'set-cookie']);
    return Promise.resolve();
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink } from './support/join-over-link.ts';

/** Without a rate, which a check would load. */
const way = { rateKbps: 'unlimited' as const, delayMs: 50 };
const hosts = [
  { name: 'www.shop.test', delayMs: 10 },
  { name: 'img.shop.test', thinkTimeMs: 20 },
  { name: 'cdn.test' },
];
const network = { link: { forward: way, return: way }, hosts };

type VisitRow = { scenario: string; user_agent: string; object_count: number };

let overLink: Awaited<ReturnType<typeof joinOverLink>>;
let run: RunDetail;
beforeAll(async () => {
  overLink = await joinOverLink({ userCount: 1 });
  run = await overLink.run({
    name: 'Hosts',
    // 12 images: 6 of the first host, 4 and 2 of the others.
    urlLists: { pages: ['https://www.shop.test/images/12?hosts=3&visit=one'] },
    userAgents: [
      { name: 'http', host: 'user1', engine: 'http', urlList: 'pages' },
      { name: 'chrome', host: 'remote', engine: 'chrome', urlList: 'pages' },
    ],
    scenarios: [
      { name: 'direct', baseline: true, network, browser: { trustedKeys: 'testbed' } },
      { name: 'cache', network: { ...network, dnsCache: 'terminal' }, browser: { trustedKeys: 'testbed' } },
    ],
    pageLoad: { restMs: 0, quietMs: 100 },
    // A Round whose link was not as it should be is measured again, as in any Run.
    repetition: { rounds: 1, warmUp: false, attempts: 10 },
  });
});
afterAll(() => overLink[Symbol.asyncDispose]());

it('visits a page whose objects are at several hosts, by the http engine and by Chrome', async () => {
  expectCompleted(run, { visits: 4, failedVisits: 0 });
  const rows = (await (await overLink.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
  expect(rows.map((row) => `${row.scenario} ${row.user_agent} ${row.object_count}`).toSorted()).toEqual([
    'cache chrome 13',
    'cache http 13',
    'direct chrome 13',
    'direct http 13',
  ]);
});

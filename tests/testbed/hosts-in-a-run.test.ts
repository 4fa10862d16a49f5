import { beforeAll, expect, it } from 'vitest';
import { namesOf } from '#core/evaluation/network/network-hosts.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { spreadObjects } from '#testbed/origin/pages/send-page-of-images.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink } from './support/join-over-link.ts';
import { holdForAll } from '#tests/support/hold.ts';

/** Without a rate, which a check would load. */
const way = { rateKbps: 'unlimited' as const, delayMs: 50 };
const hosts = [
  { name: 'www.shop.test', aliases: ['static.shop.test'], delayMs: 10 },
  { name: 'img.shop.test', thinkTimeMs: 20 },
  { name: 'cdn.test' },
];
const names = hosts.flatMap(namesOf);
const network = { link: { forward: way, return: way }, hosts };

type VisitRow = { scenario: string; user_agent: string; object_count: number };

let run: RunDetail;
const overLink = holdForAll(() => joinOverLink({ userCount: 1 }));
beforeAll(async () => {
  run = await overLink.run({
    name: 'Hosts',
    urlLists: { pages: ['https://www.shop.test/images/12?hosts=4&visit=one'] },
    userAgents: [
      { name: 'http', host: 'user1', engine: 'http', urlList: 'pages' },
      { name: 'chrome', host: 'remote', engine: 'chrome', urlList: 'pages' },
    ],
    scenarios: [{ name: 'hosts', baseline: true, network, browser: { trustedKeys: 'testbed' } }],
    pageLoad: { restMs: 0, quietMs: 100 },
    // A Round whose link was not as it should be is measured again, as in any Run.
    repetition: { rounds: 1, warmUp: false, attempts: 10 },
  });
});

it('loads a page whose objects are at several hosts, by the http engine and by Chrome', async () => {
  expectCompleted(run, { visits: 2, failedVisits: 0 });
  const rows = (await (await overLink.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
  expect(rows.map((row) => `${row.user_agent} ${row.object_count}`).toSorted()).toEqual(['chrome 13', 'http 13']);
});

/** The log of what all hosts have served. */
async function readTruth(): Promise<{ host: string; protocol: string; connectionId: number }[]> {
  // The way there is taken back after the Round. Within the testbed's own end it is not.
  const fetched = await runTool(
    ...overLink.network.enter('ground'),
    process.execPath,
    '-e',
    'fetch("http://198.19.254.3/__truth?visit=one").then((answer) => answer.text()).then(console.log)',
  );
  return (JSON.parse(fetched) as { requests: { host: string; protocol: string; connectionId: number }[] }).requests;
}

it('logs at each host what all of them have served', async () => {
  const requests = await readTruth();
  const spread = spreadObjects(12, 4);
  const served = names.map((name, index) => [
    name,
    2 * (spread.filter((each) => each === index).length + (index === 0 ? 1 : 0)),
  ]);
  const counts = Map.groupBy(requests, ({ host }) => host);
  expect(Object.fromEntries([...counts].map(([host, { length }]) => [host, length]))).toEqual(
    Object.fromEntries(served),
  );
  expect(new Set(requests.map(({ protocol }) => protocol))).toEqual(new Set(['h2']));
});

it('shares a connection of Chrome among the names of one host', async () => {
  const requests = await readTruth();
  const connectionsOf = (name: string) =>
    new Set(requests.filter(({ host }) => host === name).map(({ connectionId }) => connectionId));
  const ofPage = connectionsOf('www.shop.test');
  const shared = (name: string) => [...connectionsOf(name)].filter((id) => ofPage.has(id)).length;
  expect([shared('static.shop.test'), shared('img.shop.test')]).toEqual([1, 0]);
});

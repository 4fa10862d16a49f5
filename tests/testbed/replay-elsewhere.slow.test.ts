import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { factorOf } from '#core/evaluation/network/replay.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { compareReplay } from '#core/site/compare-replay.ts';
import type { Site } from '#core/site/site.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import type { RequestTruth } from '#testbed/origin/truth-log.ts';
import { writeSite } from '#site/write-site.ts';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { hasCaddy } from '../browser/support/has-caddy.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { makeRecordedBody, makeRecordedExchange, makeRecordedSite } from '../support/make-recorded-site.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { joinOverLink } from './support/join-over-link.ts';

const linkMs = 20;
const link = { forward: { rateKbps: 20_000, delayMs: linkMs }, return: { rateKbps: 20_000, delayMs: linkMs } };
const names = Array.from({ length: 15 }, (_, index) => `w${index}.shop.test`);
const connectMsOf = (name: string) => 10 + 4 * names.indexOf(name);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>';
/** Two of each host. */
const images = names.flatMap((name) => [1, 2].map((number) => `https://${name}/${number}.svg`));
const page = `<!doctype html><link rel=icon href="data:,">${images.map((url) => `<img src="${url}">`).join('')}`;
const recordedEpochMs = Date.parse('2020-05-17T12:00:00Z');

/** What names no host of the recording, or no host at all. */
const away = [
  'https://elsewhere.test/1.svg',
  'http://192.0.2.7/2.svg',
  'http://[2001:db8::7]/3.svg',
  'https://192.0.2.7/4.svg',
];
/** Of these, what each engine asks for on a page over TLS: Chrome forbids images of IPv4 addresses without TLS, and Firefox asks for any by TLS. */
const askedAway: Record<string, readonly string[]> = {
  chrome: away.filter((url) => !url.startsWith('http://192.')),
  firefox: away.map((url) => url.replace(/^http:/, 'https:')),
  http: away,
};
const awayPage = `<!doctype html><link rel=icon href="data:,">${away.map((url) => `<img src="${url}">`).join('')}`;
const awayUrl = `https://${names[0]}/away`;

/** Each after a time of its own. */
const exchanges = [`https://${names[0]}/`, ...images].map((url, index) =>
  makeRecordedExchange({
    url,
    startMs: index,
    thinkMs: 5 + ((index * 7) % 40),
    connection: names.indexOf(new URL(url).hostname),
    headers: [['Content-Type', index === 0 ? 'text/html' : 'image/svg+xml']],
    body: makeRecordedBody(index === 0 ? page : svg),
  }),
);

let overLink: Awaited<ReturnType<typeof joinOverLink>>;
let site: Site;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const folder = stack.use(await makeTemporaryFolder());
  overLink = stack.use(
    await joinOverLink({
      userCount: 2,
      http3: hasCaddy,
      extension: 'chrome',
      ...(!isFirefoxLeftOut && { firefoxPath: findFirefox() }),
    }),
  );
  const file = path.join(folder.path, 'shop.wacz');
  const { hosts, pages } = makeRecordedSite();
  site = await writeSite(
    file,
    makeRecordedSite({
      recordedEpochMs,
      hosts: names.map((name) => ({
        ...hosts[0]!,
        name,
        connectMs: connectMsOf(name),
        certificateNames: [name],
        protocols: ['h2', 'http/1.1'],
      })),
      pages: [
        { ...pages[0]!, url: `https://${names[0]}/` },
        { ...pages[0]!, number: 2, url: awayUrl },
      ],
      exchanges: [
        ...exchanges,
        makeRecordedExchange({ page: 2, url: awayUrl, body: makeRecordedBody(awayPage), thinkMs: 0 }),
      ],
    }),
    { nowEpochMs: recordedEpochMs },
  );
  await overLink.program('/api/sites?name=shop', { method: 'POST', body: new Uint8Array(await readFile(file)) });
});
afterAll(() => stack.disposeAsync());

async function replay(
  scenarios: Parameters<typeof overLink.run>[0]['scenarios'],
  engines: readonly ('chrome' | 'firefox' | 'extension' | 'http')[],
  {
    hosts = [],
    page: number = 1,
    visitsPerUrl = 1,
  }: { hosts?: readonly string[]; page?: number; visitsPerUrl?: number } = {},
): Promise<VisitDetail[]> {
  const run = await overLink.run({
    name: 'Replay',
    urlLists: { shop: { site: 'shop', page: number } },
    userAgents: engines.map((engine, index) => ({
      name: engine,
      host: hosts[index] ?? 'remote',
      engine,
      urlList: 'shop',
    })),
    scenarios,
    pageLoad: { restMs: 0, quietMs: 300, visitsPerUrl },
    repetition: { rounds: 1, warmUp: false, attempts: 5 },
  });
  expectCompleted(run, { visits: scenarios.length * engines.length * visitsPerUrl, failedVisits: 0 });
  return overLink.readVisits(run.id);
}

const all = (['chrome', 'firefox', 'extension', 'http'] as const).filter(
  (engine) => engine !== 'firefox' || !isFirefoxLeftOut,
);

function expectWhole(visits: readonly VisitDetail[]): void {
  for (const { userAgent, scenario, snapshot } of visits) {
    const { objects, misses, unknownHosts, inexact, hosts } = compareReplay(snapshot!, { site, page: 1, visit: 1 });
    expect({ userAgent, scenario, objects, misses, unknownHosts, inexact, hosts }).toEqual({
      userAgent,
      scenario,
      objects: { recorded: 31, replayed: 31 },
      misses: [],
      unknownHosts: [],
      inexact: [],
      hosts: { recorded: 15, replayed: 15 },
    });
  }
}

const protocolsOf = ({ snapshot }: VisitDetail) => [
  ...new Set(snapshot!.requests.flatMap(({ protocol, fromCache }) => (fromCache ? [] : (protocol ?? [])))),
];

test(
  'each engine gets every object of fifteen hosts over HTTP/1.1 and HTTP/2, and nothing else',
  { timeout: 600_000 },
  async () => {
    const visits = await replay(
      (['http/1.1', 'h2'] as const).map((protocol) => ({
        name: protocol,
        baseline: protocol === 'h2',
        network: { link, replay: { protocol } },
      })),
      all,
    );
    expectWhole(visits);
    // The extension in Chrome reports none.
    for (const visit of visits.filter(({ userAgent }) => userAgent !== 'extension'))
      expect(protocolsOf(visit)).toEqual([visit.scenario]);
  },
);

test.skipIf(!hasCaddy)('browsers get them over HTTP/3 from every host', { timeout: 600_000 }, async () => {
  const visits = await replay(
    [
      {
        name: 'HTTP/3',
        baseline: true,
        // Browsers that have not seen a host before know of HTTP/3 by no other way.
        browser: { protocols: ['h3'] },
        network: { link, replay: { protocol: 'h3' } },
      },
    ],
    all.filter((engine) => engine === 'chrome' || engine === 'firefox'),
  );
  expectWhole(visits);
  for (const visit of visits) expect(protocolsOf(visit)).toEqual(['h3']);
});

test('HTTPEP carries a replay whole', { timeout: 600_000 }, async () => {
  const visits = await replay(
    [
      { name: 'HTTPEP', baseline: true, network: { link }, httpep: { connections: 2 } },
      { name: 'ending TLS', network: { link }, httpep: { connections: 2, tls: 'terminate' } },
    ],
    ['chrome', 'http'],
    { hosts: ['user1', 'user2'] },
  );
  expectWhole(visits);
});

test('nothing of a replay leaves the testbed, wherever its page leads', { timeout: 600_000 }, async () => {
  // Of the addresses of testbeds: to or from any other, on all interfaces of this machine.
  const ours = 'net 198.18.0.0/15';
  const dump = spawn('tcpdump', ['-i', 'any', '-nn', '-l', `${ours} and not (src ${ours} and dst ${ours})`]);
  const seen = text(dump.stdout);
  await once(dump.stderr, 'data'); // it listens
  const visits = await replay([{ name: 'direct', baseline: true, network: { link } }], all, { page: 2 });
  dump.kill('SIGINT');
  expect((await seen).trim()).toBe(''); // it ends with an empty line
  for (const { userAgent, snapshot } of visits) {
    const { objects, unknownHosts } = compareReplay(snapshot!, { site, page: 2, visit: 1 });
    expect({ userAgent, objects, unknownHosts: unknownHosts.toSorted() }).toEqual({
      userAgent,
      objects: { recorded: 1, replayed: 1 },
      unknownHosts: askedAway[userAgent === 'extension' ? 'chrome' : userAgent]!.toSorted(),
    });
  }
});

/** What the hosts logged, asked for where they are; with DELETE, it is forgotten. */
async function readTruth(method: 'GET' | 'DELETE'): Promise<RequestTruth[]> {
  const program = `fetch('http://198.19.254.1/__truth', { method: '${method}' }).then((answer) => answer.text()).then(console.log)`;
  const text = await runTool(...overLink.network.enter('hosts'), process.execPath, '-e', program);
  return method === 'DELETE' ? [] : (JSON.parse(text) as { requests: RequestTruth[] }).requests;
}

// Of one Visit, two moments in which the process had no core would decide on its 95th percentile.
const visitsPerUrl = 8;

test.for(['recorded', 2, 'none'] as const)(
  'each host thinks as long as it did, times the factor of "%s"',
  { timeout: 600_000 },
  async (thinkTime, context) => {
    await judgeTime(context, {
      measure: async () => {
        await readTruth('DELETE').catch(() => []); // before the first Run there are no hosts
        await replay([{ name: 'direct', baseline: true, network: { link, replay: { thinkTime } } }], ['http'], {
          visitsPerUrl,
        });
        return readTruth('GET');
      },
      holds: (requests) => {
        const errorsMs = requests.map(({ host, url, arrivedEpochMs, firstByteEpochMs }) => {
          const { thinkMs } = site.exchanges.find((exchange) => exchange.url === `https://${host}${url}`)!;
          return firstByteEpochMs! - arrivedEpochMs - thinkMs! * factorOf(thinkTime);
        });
        const sorted = errorsMs.toSorted((one, other) => one - other);
        expect(sorted).toHaveLength(31 * visitsPerUrl);
        expect(sorted[0]).toBeGreaterThan(-1);
        expect(sorted[Math.floor(0.5 * sorted.length)]).toBeLessThan(1);
        expect(sorted[Math.floor(0.95 * sorted.length)]).toBeLessThan(2);
      },
      // A server that waits for a core a quarter of the time answers one of twenty requests late.
      limits: { waitingShare: 0.25 },
    });
  },
);

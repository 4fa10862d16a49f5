import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { hasCaddy } from '../browser/support/has-caddy.ts';
import { readHttpVersions } from '../support/read-http-versions.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink, linkUser } from './support/join-over-link.ts';

const resources = new AsyncDisposableStack();
let overLink: Awaited<ReturnType<typeof joinOverLink>>;
beforeAll(async () => {
  overLink = resources.use(
    await joinOverLink({ userCount: 1, ...(isFirefoxLeftOut ? {} : { firefoxPath: findFirefox() }) }),
  );
});
afterAll(() => resources.disposeAsync());

const way = { rateKbps: 'unlimited', delayMs: 60 } as const;
const link = { forward: way, return: way };
const hosts = [
  { name: 'www.shop.test', delayMs: 10 },
  { name: 'img.shop.test', delayMs: 20, thinkTimeMs: 5 },
  { name: 'ads.test', delayMs: 5, lossRatio: 0.01, rateKbps: 20_000 },
];
const browser = { trustedKeys: 'testbed' as const };

type VisitRow = { object_count: number };

async function measure(change: Partial<z.input<typeof EvaluationSchema>>): Promise<[RunDetail, VisitRow[]]> {
  const run = await overLink.run({
    name: 'Hosts',
    urlLists: { pages: ['https://www.shop.test/images/11?hosts=3'] },
    userAgents: [{ name: 'http', engine: 'http', host: 'user1', urlList: 'pages' }],
    scenarios: [],
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 4 },
    ...change,
  });
  return [run, (await (await overLink.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[]];
}

test('hosts are reached over a path whose PEPs split TCP, with settings of TCP, and through HTTPEP', async () => {
  const [run, visits] = await measure({
    scenarios: [
      { name: 'path', baseline: true, browser, network: { link, path: {}, hosts } },
      { name: 'PEP', browser, network: { link, path: {}, tcpPep: {}, hosts } },
      { name: 'TCP', browser, network: { link, hosts, tcp: { ground: { initialWindowSegments: 3, mtuBytes: 1300 } } } },
      { name: 'HTTPEP', browser, network: { link, hosts }, httpep: { connections: 2 } },
    ],
  });
  expectCompleted(run, { visits: 4, failedVisits: 0 });
  expect(visits.map((visit) => visit.object_count)).toEqual([12, 12, 12, 12]);
});

test.skipIf(isFirefoxLeftOut)(
  'Firefox and Chrome find hosts by name, as the users of an operating system too',
  async () => {
    const [run, visits] = await measure({
      userAgents: (['chrome', 'firefox'] as const).map((engine, index) => ({
        ...linkUser(engine, index),
        engine,
        sourceAddress: `198.19.1.${index + 11}`,
      })),
      scenarios: [{ name: 'direct', baseline: true, browser, network: { link, hosts, dnsCache: 'terminal' } }],
    });
    expectCompleted(run, { visits: 2, failedVisits: 0 });
    expect(visits.map((visit) => visit.object_count)).toEqual([12, 12]);
  },
);

test.skipIf(isFirefoxLeftOut || !hasCaddy)('a host with HTTP/3 speaks it with Chrome and Firefox', async () => {
  const [run] = await measure({
    urlLists: { pages: ['https://www.shop.test/images/3'] },
    userAgents: (['chrome', 'firefox'] as const).map((engine) => ({
      name: engine,
      engine,
      host: 'user1',
      urlList: 'pages',
    })),
    scenarios: (['h2', 'h3'] as const).map((protocol) => ({
      name: protocol,
      baseline: protocol === 'h2',
      browser: { ...browser, protocols: [protocol] },
      network: { link, hosts: [{ name: 'www.shop.test', delayMs: 10, protocols: ['h3', 'h2', 'http/1.1'] }] },
    })),
  });
  expectCompleted(run, { visits: 4, failedVisits: 0 });
  expect(await readHttpVersions(overLink.pool, run.id)).toEqual(
    new Map([
      ['h2', ['h2']],
      ['h3', ['h3']],
    ]),
  );
});

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { ListedSiteSchema } from '#core/protocol/api/stored-site.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { compareReplay } from '#core/site/compare-replay.ts';
import type { Site } from '#core/site/site.ts';
import { writeSite, type RecordedExchange } from '#site/write-site.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { makeRecordedBody, makeRecordedExchange, makeRecordedSite } from '../support/make-recorded-site.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { joinOverLink } from './support/join-over-link.ts';

/** Without a rate, which a check would load. */
const way = { rateKbps: 'unlimited' as const, delayMs: 20 };
const network = { link: { forward: way, return: way } };

const recordedEpochMs = Date.parse('2020-05-17T12:00:00Z');
/** Scripts ask for the date of the recording, for what no recording has exactly, for the same twice, and for what was not there. */
const page = `<!doctype html><meta charset=utf-8><link rel=icon href="data:,"><title>?</title>
<link rel=stylesheet href="//cdn.shop.test/style.css"><img src="//cdn.shop.test/one.svg"><img src="/moved.svg">
<script>
  const hour = new Date().toISOString().slice(0, 13);
  const ask = async (path, options) => (await fetch(path, options)).text();
  (async () => {
    const seen = [
      await ask('/at/' + hour),
      await ask('/random?user=7&_=' + Math.floor(1e9 * Math.random())),
      await ask('/poll'),
      await ask('/poll'),
      await ask('/form', { method: 'POST', body: 'a=1' }),
      await fetch('/nothing').then(async (answer) => (await answer.text()) && answer.status),
      await fetch('https://elsewhere.test/').catch(() => 'no host'),
    ];
    document.title = seen.join();
    performance.mark('asked');
  })();
</script>`;
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>';

const answer = (url: string, type: string, body: string | Uint8Array, more: Partial<RecordedExchange> = {}) =>
  makeRecordedExchange({
    url,
    body: makeRecordedBody(body),
    thinkMs: 0,
    ...more,
    headers: [['Content-Type', type], ['Date', 'Sun, 17 May 2020 12:00:00 GMT'], ...(more.headers ?? [])],
  });
const www = 'https://www.shop.test';
const cdn = 'https://cdn.shop.test';
const exchanges = [
  answer(`${www}/`, 'text/html', page, { thinkMs: 30 }),
  answer(`${cdn}/style.css`, 'text/css', gzipSync('body { color: red }'), {
    headers: [
      ['Content-Encoding', 'gzip'],
      ['Transfer-Encoding', 'chunked'],
      ['Access-Control-Allow-Origin', '*'],
    ],
  }),
  answer(`${cdn}/one.svg`, 'image/svg+xml', svg),
  answer(`${www}/moved.svg`, 'text/plain', '', { status: 302, headers: [['Location', `${cdn}/two.svg`]] }),
  answer(`${cdn}/two.svg`, 'image/svg+xml', svg),
  answer(`${www}/at/2020-05-17T12`, 'text/plain', 'dated'),
  answer(`${www}/random?user=8&_=1`, 'text/plain', 'other user'),
  answer(`${www}/random?user=7&_=2`, 'text/plain', 'user 7'),
  answer(`${www}/poll`, 'text/plain', 'first'),
  answer(`${www}/poll`, 'text/plain', 'second'),
  answer(`${www}/form`, 'text/plain', 'sent', {
    method: 'POST',
    requestBodySha256: createHash('sha256').update('a=1').digest('hex'),
  }),
].map((exchange, index) => ({ ...exchange, startMs: index }));
/** Of the HTML alone. */
const withoutScripts = 5;

let overLink: Awaited<ReturnType<typeof joinOverLink>>;
let site: Site;
let run: RunDetail;
let visits: VisitDetail[];
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const folder = stack.use(await makeTemporaryFolder());
  overLink = stack.use(await joinOverLink({ userCount: 1 }));
  const file = path.join(folder.path, 'shop.wacz');
  const [host] = makeRecordedSite().hosts;
  site = await writeSite(
    file,
    makeRecordedSite({
      recordedEpochMs,
      hosts: ['www.shop.test', 'cdn.shop.test'].map((name) => ({ ...host!, name, certificateNames: [name] })),
      pages: [
        {
          number: 1,
          url: `${www}/`,
          title: 'Shop',
          visits: [{ startEpochMs: recordedEpochMs, engine: 'Chrome', baseMs: 1, viewportMs: 1, totalMs: 1 }],
        },
      ],
      exchanges,
    }),
    { nowEpochMs: recordedEpochMs },
  );
  const uploaded = await overLink.program('/api/sites?name=shop', {
    method: 'POST',
    body: new Uint8Array(await readFile(file)),
  });
  ListedSiteSchema.parse(await uploaded.json());
  run = await overLink.run({
    name: 'Replay',
    urlLists: {
      shop: { site: 'shop', page: 1 },
      scripted: [{ site: 'shop', page: 1, until: 'performance mark asked' }],
    },
    userAgents: [
      { name: 'http', host: 'user1', engine: 'http', urlList: 'shop' },
      { name: 'chrome', host: 'remote', engine: 'chrome', urlList: 'scripted' },
    ],
    scenarios: [{ name: 'direct', baseline: true, network }],
    pageLoad: { restMs: 0, quietMs: 100 },
    // A Round whose link was not as it should be is measured again, as in any Run.
    repetition: { rounds: 1, warmUp: false, attempts: 10 },
  });
  visits = await overLink.readVisits(run.id);
});
afterAll(() => stack.disposeAsync());

const visitOf = (userAgent: string) => visits.find((visit) => visit.userAgent === userAgent)!;
const compare = (userAgent: string) => compareReplay(visitOf(userAgent).snapshot!, { site, page: 1, visit: 1 });

it('loads the recorded page from its own address, by each engine', () => {
  expectCompleted(run, { visits: 2, failedVisits: 0 });
  expect(visits.map(({ address }) => address)).toEqual([`${www}/`, `${www}/`]);
});

it('keeps with the Evaluation what was replayed', async () => {
  const { document } = StoredEvaluationSchema.parse(
    await (await overLink.program(`/api/evaluations/${run.evaluationId}`)).json(),
  );
  const [summary] = (await (await overLink.program('/api/sites')).json()) as { sha256: string }[];
  expect(document.urlLists.shop).toMatchObject([
    { url: `${www}/`, site: 'shop', page: 1, recording: { sha256: summary!.sha256, recordedEpochMs } },
  ]);
});

it('gives an engine without scripts all that the HTML needs, and nothing else', () => {
  expect(compare('http')).toMatchObject({
    objects: { replayed: withoutScripts },
    hosts: { recorded: 2, replayed: 2 },
    connections: { replayed: 2 },
    orderRatio: 1,
    inexact: [],
    misses: [],
    unknownHosts: [],
  });
});

it('gives scripts the date, the answers in their order, and the best like of what was not recorded', () => {
  const { snapshot } = visitOf('chrome');
  expect(snapshot!.frames[0]!.title).toBe('dated,user 7,first,second,sent,404,no host');
  const { objects, inexact, misses, unknownHosts, missing } = compare('chrome');
  // Of the two addresses with a random number, one answers.
  expect(objects).toEqual({ recorded: 10, replayed: 9 });
  expect(missing).toEqual([`${www}/random?user=8&_=1`]);
  expect(inexact).toEqual([expect.stringContaining('/random?user=7&_=') as string]);
  expect(misses).toEqual([`${www}/nothing`]);
  expect(unknownHosts).toEqual(['https://elsewhere.test/']);
});

it('remarks that the recording lacks more than 1 % of what a Visit asked for', () => {
  expect(visitOf('chrome').snapshot!.remarks).toMatchObject([{ code: 'replay-misses' }]);
  expect(visitOf('http').snapshot!.remarks ?? []).toEqual([]);
});

it('answers with the coded bytes that crossed the network as it was recorded', () => {
  const style = visitOf('chrome').snapshot!.requests.find(({ url }) => url === `${cdn}/style.css`)!;
  expect(style).toMatchObject({ protocol: 'h2', decodedBytes: 'body { color: red }'.length });
});

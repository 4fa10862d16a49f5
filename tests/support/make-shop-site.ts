import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pool } from 'pg';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { ListedSiteSchema, type ListedSite } from '#core/protocol/api/stored-site.ts';
import type { SiteHost } from '#core/site/site.ts';
import { writeSite, type RecordedExchange, type RecordedSite } from '#site/write-site.ts';
import type { TestController } from './controller.ts';
import { makeRecordedBody, makeRecordedExchange, makeRecordedSite, recordedEpochMs } from './make-recorded-site.ts';
import { makePageSnapshot } from './page-snapshot.ts';
import { makeEvaluation } from './sample-evaluation.ts';
import { storeCompletedRun } from './stored-run.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const thirdParties = ['fonts', 'ads', 'maps', 'video', 'tags', 'login', 'pay', 'chat', 'mail', 'news', 'data', 'log'];
const names = ['shop.test', 'cdn.shop.test', 'api.shop.test', ...thirdParties.map((name) => `${name}.third.test`)];

/** A shop with two pages, of which the first was visited three times, and 15 hosts: as much as a real one has on its first page. */
export function makeShopSite(): RecordedSite {
  return makeRecordedSite({
    hosts: names.map((name, index): SiteHost => ({
      name,
      address: `192.0.2.${index + 1}`,
      connectMs: name === 'log.third.test' ? null : 10 * (index + 1),
      certificateNames: [name],
      certificateChain: { count: 2, bytes: 2000 },
      protocols: index === 1 ? ['h3', 'h2'] : index % 4 === 3 ? ['http/1.1'] : ['h2'],
    })),
    pages: [
      { number: 1, url: 'https://shop.test/', title: 'Shop', visits: [0, 1, 2].map(measureVisit) },
      { number: 2, url: 'https://shop.test/basket', title: 'Basket', visits: [] },
    ],
    exchanges: [
      ...[1, 2, 3].flatMap(makeVisit),
      makeRecordedExchange({ page: 2, url: 'https://shop.test/basket', body: makeRecordedBody('<p>Empty') }),
    ],
  });
}

function measureVisit(index: number): RecordedSite['pages'][number]['visits'][number] {
  const shiftMs = 10 * index;
  return {
    startEpochMs: recordedEpochMs + 10_000 * index,
    engine: 'chrome 150.0.7444.59',
    baseMs: 100 + shiftMs,
    viewportMs: 200 + shiftMs,
    totalMs: 300 + shiftMs,
    webSockets: ['wss://chat.third.test/live'],
  };
}

function makeVisit(visit: number): RecordedExchange[] {
  const page = makeRecordedExchange({ visit, requestHeaders: [['cookie', 'session=1']] });
  const script = (name: string, index: number) =>
    makeRecordedExchange({
      visit,
      url: `https://${name}/script.js`,
      headers: [['content-type', 'text/javascript']],
      connection: index + 1,
      startMs: 60 + index,
      connectMs: index === 0 ? null : 10 * (index + 1),
      tlsMs: index === 0 ? null : 10 * (index + 1),
      initiatorUrl: 'https://shop.test/',
      body: makeRecordedBody('s'.repeat(1000 + index)),
    });
  const image = (number: number) =>
    makeRecordedExchange({
      visit,
      url: `https://cdn.shop.test/image-${number}.png`,
      headers: [['content-type', 'image/png']],
      connection: 2,
      startMs: 120 + number,
      connectMs: null,
      tlsMs: null,
      receiveMs: 5 + number,
      initiatorUrl: 'https://shop.test/',
      body: makeRecordedBody(`image ${number}`.padEnd(20_000 + number)),
    });
  return [page, ...names.map(script), ...Array.from({ length: 20 }, (_, index) => image(index + 1))];
}

/** Uploads it under this name, with a title that gives the file contents of its own. */
export async function uploadShop({ program }: Pick<TestController, 'program'>, name: string): Promise<ListedSite> {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'shop.wacz');
  await writeSite(file, { ...makeShopSite(), title: name }, { nowEpochMs: recordedEpochMs });
  const answer = await program(`/api/sites?${new URLSearchParams({ name }).toString()}`, {
    method: 'POST',
    body: new Uint8Array(await readFile(file)),
  });
  return ListedSiteSchema.parse(await answer.json());
}

/** A completed Run that replayed the first page of this Site, and got little of it. */
export function storeReplay(
  pool: Pool,
  { name, sha256 }: Pick<ListedSite, 'name' | 'sha256'>,
): ReturnType<typeof storeCompletedRun> {
  const { scenarios, ...rest } = makeEvaluation();
  const entry = { site: name, page: 1, url: 'https://shop.test/', recording: { sha256, recordedEpochMs } };
  const evaluation = EvaluationSchema.parse({
    ...rest,
    urlLists: { pages: [entry, 'http://origin.test/images/1'] },
    scenarios: scenarios.map((scenario) => ({ ...scenario, network: { link: 'none' } })),
  });
  const snapshotOf = (page: Parameters<typeof makePageSnapshot>[0]): Snapshot => {
    const { requests, ...snapshot } = makePageSnapshot(page, 2);
    const [document, ...others] = requests;
    const missed = others.map((request) => ({ ...request, status: 404, isReplayMiss: true as const }));
    return { ...snapshot, requests: [document!, ...missed], replay: { recordedEpochMs } };
  };
  return storeCompletedRun(pool, { evaluation, snapshotOf });
}

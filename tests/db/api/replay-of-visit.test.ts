import { expect, test } from 'vitest';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { ReplayOfVisitSchema, ReplaysOfRunSchema } from '#core/protocol/api/replay-of-visit.ts';
import { startTestController } from '../../support/controller.ts';
import { storeReplay, uploadShop } from '../../support/make-shop-site.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

test('the page of a Visit is compared with the recording that it replayed, as long as that is there', async () => {
  const { sha256, id } = await uploadShop(it, 'shop');
  const { visits, runId } = await storeReplay(it.controller.pool, { name: 'shop', sha256 });
  const read = (url: string) => it.program(`/api/visits/${visits.find((visit) => visit.url === url)!.id}/replay`);
  const readReplay = async () => ReplayOfVisitSchema.parse(await (await read('https://shop.test/')).json());

  const found = await readReplay();
  if (found.kind === 'absent') throw new Error(found.reason);
  expect(found).toMatchObject({ site: { id, name: 'shop' }, page: 1 });
  expect(found.comparison).toMatchObject({
    objects: { recorded: 36, replayed: 1 },
    hosts: { recorded: 15, replayed: 1 },
    misses: [expect.stringContaining('https://shop.test/') as string, expect.any(String) as string],
    unknownHosts: [],
    latencies: { totalMs: { recordedMs: 300 } },
  });
  expect(found.comparison.missing).toContain('https://cdn.shop.test/image-3.png');
  expect(found.comparison.score).toBeLessThan(0.5);

  const readRun = async () =>
    ReplaysOfRunSchema.parse(await (await it.program(`/api/runs/${runId}/replays`)).json()).replays;
  const ofRun = await readRun();
  const newest = (userAgent: string, scenario: string) =>
    expect.objectContaining({ userAgent, scenario, url: 'https://shop.test/', replay: found }) as unknown;
  expect(ofRun).toEqual(['alice', 'bob'].flatMap((name) => ['direct', 'proxy'].map((each) => newest(name, each))));
  const replays = visits.filter(({ url }) => url === 'https://shop.test/').map(({ id: visitId }) => visitId);
  expect(replays).toEqual(expect.arrayContaining(ofRun.map(({ visitId }) => visitId)));

  const other = await read('http://origin.test/images/1');
  expect([other.status, ProblemSchema.parse(await other.json()).message]).toEqual([
    404,
    expect.stringContaining('loaded no page of a Site'),
  ]);

  await it.program('/api/sites/shop', { method: 'DELETE' });
  const deleted = { kind: 'absent', reason: 'The Site “shop” was deleted' };
  expect(await readReplay()).toEqual(deleted);
  expect((await readRun()).map(({ replay }) => replay)).toEqual(ofRun.map(() => deleted));
  await uploadShop(it, 'another');
  await it.controller.pool.query(`update site set name = 'shop', sha256 = repeat('a', 64)`);
  expect(await readReplay()).toEqual({ kind: 'absent', reason: 'The Site “shop” has another recording now' });
});

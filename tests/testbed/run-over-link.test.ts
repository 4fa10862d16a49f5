import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { measure } from '../support/packets/measure.ts';
import { joinOverLink } from './support/join-over-link.ts';
import { holdForAll } from '#tests/support/hold.ts';

/** Without a rate, which a check would load; of 600 ms of round trip it allows 6 to either side. */
const way = { rateKbps: 'unlimited' as const, delayMs: 300 };
const network = { link: { forward: way, return: way } };
const addresses: Record<string, string> = { alice: '198.19.1.1', bob: '198.19.1.2' };

type VisitRow = { scenario: string; user_agent: string; object_count: number; wire_packets: number };

let run: RunDetail;
const overLink = holdForAll(() => joinOverLink({ userCount: 2 }));
beforeAll(async () => {
  run = await overLink.run({
    name: 'Over the link',
    // Alice loads a page of 2 images, and Bob one of 5, each in a namespace of their own.
    urlLists: { alice: [`${overLink.origin.httpUrl}/images/2`], bob: [`${overLink.origin.httpUrl}/images/5`] },
    userAgents: Object.keys(addresses).map((name, index) => ({
      name,
      host: `user${index + 1}`,
      engine: 'http' as const,
      urlList: name,
      sourceAddress: addresses[name]!,
      interface: 'link0',
    })),
    scenarios: [
      { name: 'direct', baseline: true, network },
      { name: 'HTTPEP', network, httpep: { connections: 2 } },
    ],
    pageLoad: { restMs: 0, quietMs: 100 },
    // A Round whose link was not as it should be is measured again, as in any Run.
    repetition: { rounds: 1, warmUp: false, attempts: 10 },
  });
});

const roundOf = (name: string) => run.rounds.find(({ scenario, state }) => scenario === name && state === 'completed')!;

it('stores every Visit, with its objects and packets', async () => {
  expectCompleted(run, { visits: 4, failedVisits: 0 });
  const rows = (await (await overLink.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
  const counted = rows.map((row) => `${row.scenario} ${row.user_agent} ${row.object_count}`);
  expect(counted.toSorted()).toEqual(['HTTPEP alice 3', 'HTTPEP bob 6', 'direct alice 3', 'direct bob 6']);
  for (const { wire_packets } of rows) expect(wire_packets).toBeGreaterThan(0);
});

it.for(['direct', 'HTTPEP'])('checks the link before the Round of %s', (name) => {
  const { findings } = roundOf(name).linkCheck!;
  expect(findings.map(({ figure }) => figure)).toEqual(['round trip', 'forward loss', 'return loss']);
  expect(findings.filter(({ isWithin }) => !isWithin)).toEqual([]);
});

it('captures each user’s packets, and no other’s, and keeps what its figures are of', async () => {
  const requests: Record<string, number | null | undefined> = {};
  for (const { id, userAgent } of roundOf('direct').passes) {
    const outcome = await overLink.readCapture('passes', id);
    const { statistics } = outcome;
    expect(outcome).toMatchObject({ interface: 'link0', droppedByKernel: 0, isLimited: false });
    expect(statistics.packets).toBe(outcome.receivedPackets);
    const clients = new Set(statistics.connections.map(({ client }) => client.address));
    expect(clients).toEqual(new Set([addresses[userAgent]]));
    requests[userAgent] = statistics.tcp?.httpRequests;
    const archived = Buffer.from(await (await overLink.program(`/api/passes/${id}/trace`)).arrayBuffer());
    expect(measure(gunzipSync(archived), { localAddresses: [addresses[userAgent]!] })).toEqual(statistics);
  }
  expect(requests).toEqual({ alice: 3, bob: 6 });
});

it('carries the pages of both users by HTTPEP, which counts their requests at both ends', () => {
  const ends = run.scripts.filter(({ roundId }) => roundId === roundOf('HTTPEP').id);
  expect(ends.map(({ name, problem }) => [name, problem])).toEqual([
    ['HTTPEP, remote end', undefined],
    ['HTTPEP, ground end', undefined],
  ]);
  const counted = ends.map(({ output }) => {
    const lines = output.split('\n').filter((line) => line.startsWith('{"end"'));
    const counters = lines.map((line) => JSON.parse(line) as { kind: string; user: string; requests: number });
    return new Map(counters.filter(({ kind }) => kind === 'user').map(({ user, requests }) => [user, requests]));
  });
  expect(counted[0]).toEqual(
    new Map([
      [addresses.alice, 3],
      [addresses.bob, 6],
    ]),
  );
  expect([...counted[1]!.keys()].toSorted()).toEqual(Object.values(addresses));
});

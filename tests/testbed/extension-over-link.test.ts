import { expect, test } from 'vitest';
import { CaptureDetailSchema } from '#core/protocol/api/stored-capture.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink } from './support/join-over-link.ts';

const user = { osUser: 20_001, sourceAddress: '198.19.1.1', interface: 'link0' };

type VisitRow = { total_ms: number; decoded_bytes: number };

test('an Agent starts a browser with the extension in it as an OS user with an address of its own, and captures its packets', async () => {
  await using link = await joinOverLink({ hasExtension: true });
  const way = { rateKbps: 5000, delayMs: 120 };
  const run = await link.run({
    name: 'The extension over a link',
    urlLists: { pages: [`${link.origin.httpUrl}/images/3`, `${link.origin.httpUrl}/images/6`] },
    userAgents: [{ name: 'ann', engine: 'extension', host: 'remote', urlList: 'pages', ...user }],
    scenarios: [{ name: 'plain', baseline: true, network: { link: { forward: way, return: way } } }],
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 4 },
  });
  expectCompleted(run, { visits: 2, failedVisits: 0 });
  const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
  // Connection, the page and its images: three round trips of 240 ms at least.
  for (const { total_ms } of visits) expect(total_ms).toBeGreaterThan(3 * 240);

  const [pass] = run.rounds.find(({ state }) => state === 'completed')!.passes;
  const { outcome } = CaptureDetailSchema.parse(await (await link.program(`/api/passes/${pass!.id}/capture`)).json());
  if (outcome.kind === 'absent') throw new Error(outcome.reason);
  const { directions, connections } = outcome.statistics;
  const pageBytes = visits.reduce((sum, { decoded_bytes }) => sum + decoded_bytes, 0);
  expect(pageBytes).toBeGreaterThan(9 * 5_000);
  expect(directions!.received.bytes).toBeGreaterThan(pageBytes);
  expect(directions!.other.packets).toBe(0);
  expect(new Set(connections.map(({ client, server }) => `${client.address} → ${server.address}`))).toEqual(
    new Set([`${user.sourceAddress} → ${link.network.ground.address}`]),
  );
});

import { expect, test } from 'vitest';
import { expectCompleted } from '../support/expect-completed.ts';
import { isFirefoxLeftOut, findFirefox } from '../browser/support/find-firefox.ts';
import { joinOverLink } from './support/join-over-link.ts';
import { PlaceProgram } from './support/place-program.ts';

const user = { osUser: 20_001, sourceAddress: '198.19.1.1', interface: 'link0' };

type VisitRow = { total_ms: number; decoded_bytes: number };

test('an Agent starts a browser with the extension in it as an OS user with an address of its own, and captures its packets', async () => {
  await using link = await joinOverLink({ extension: 'chrome' });
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
  const { directions, connections } = (await link.readCapture('passes', pass!.id)).statistics;
  const pageBytes = visits.reduce((sum, { decoded_bytes }) => sum + decoded_bytes, 0);
  expect(pageBytes).toBeGreaterThan(9 * 5_000);
  expect(directions!.received.bytes).toBeGreaterThan(pageBytes);
  expect(directions!.other.packets).toBe(0);
  expect(new Set(connections.map(({ client, server }) => `${client.address} → ${server.address}`))).toEqual(
    new Set([`${user.sourceAddress} → ${link.network.ground.address}`]),
  );
});

/** The other browser than above, where it is there. */
const target = isFirefoxLeftOut ? 'chrome' : 'firefox';

test('a Scenario with a proxy sends every packet to the proxy, and one without sends none', async () => {
  await using link = await joinOverLink({
    extension: target,
    ...(target === 'firefox' && { firefoxPath: findFirefox() }),
  });
  const { address } = link.network.ground;
  await using program = new PlaceProgram(link.network.enter('ground'), 'serve-proxy.ts', address);
  const proxy = await program.readLine();
  const way = { rateKbps: 8000, delayMs: 20 };
  const network = { link: { forward: way, return: way } };
  const run = await link.run({
    name: 'Direct vs proxy, with the extension',
    urlLists: { pages: [1, 2].map((visit) => `${link.origin.httpUrl}/images/5?visit=${visit}`) },
    userAgents: [{ name: 'ann', engine: 'extension', host: 'remote', urlList: 'pages', ...user }],
    scenarios: [
      { name: 'direct', baseline: true, network },
      { name: 'proxy', network, browser: { proxy } },
    ],
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 4 },
  });
  expectCompleted(run, { visits: 4, failedVisits: 0 });

  const [direct, proxied] = [new URL(link.origin.httpUrl).host, new URL(proxy).host];
  for (const [scenario, server] of [
    ['direct', direct],
    ['proxy', proxied],
  ]) {
    const round = run.rounds.find((each) => each.scenario === scenario && each.state === 'completed');
    const { directions, connections } = (await link.readCapture('passes', round!.passes[0]!.id)).statistics;
    expect(directions!.other.packets).toBe(0);
    expect(connections.length).toBeGreaterThan(1);
    expect(new Set(connections.map((each) => `${each.server.address}:${each.server.port}`))).toEqual(new Set([server]));
  }
});

import { expect, test } from 'vitest';
import { expectCompleted } from '../support/expect-completed.ts';
import { isFirefoxLeftOut, findFirefox } from '../browser/support/find-firefox.ts';
import { joinOverLink } from './support/join-over-link.ts';
import { PlaceProgram } from './support/place-program.ts';

const user = { osUser: 20_001, sourceAddress: '198.19.1.1', interface: 'link0' };

/** One way. */
const delayMs = 60;

type VisitRow = { scenario: string; total_ms: number; decoded_bytes: number };

const targets = (['chrome', 'firefox'] as const).filter((target) => target !== 'firefox' || !isFirefoxLeftOut);

test.each(targets)(
  'in %s, started as an OS user with an address of its own, a Scenario with a proxy sends every packet to the proxy, and one without sends none',
  async (target) => {
    await using link = await joinOverLink({
      extension: target,
      ...(target === 'firefox' && { firefoxPath: findFirefox() }),
    });
    const { address } = link.network.ground;
    await using program = new PlaceProgram(link.network.enter('ground'), 'serve-proxy.ts', address);
    const proxy = await program.readLine();
    const way = { rateKbps: 8000, delayMs };
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

    const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
    // Connection, the page and its images: three round trips at least.
    for (const { total_ms } of visits) expect(total_ms).toBeGreaterThan(3 * 2 * delayMs);

    const [direct, proxied] = [new URL(link.origin.httpUrl).host, new URL(proxy).host];
    for (const [scenario, server] of [
      ['direct', direct],
      ['proxy', proxied],
    ]) {
      const round = run.rounds.find((each) => each.scenario === scenario && each.state === 'completed');
      const { directions, connections } = (await link.readCapture('passes', round!.passes[0]!.id)).statistics;
      const pageBytes = visits
        .filter((visit) => visit.scenario === scenario)
        .reduce((sum, { decoded_bytes }) => sum + decoded_bytes, 0);
      expect(pageBytes).toBeGreaterThan(10 * 5_000);
      expect(directions!.received.bytes).toBeGreaterThan(pageBytes);
      expect(directions!.other.packets).toBe(0);
      expect(connections.length).toBeGreaterThan(1);
      expect(
        new Set(connections.map((each) => `${each.client.address} → ${each.server.address}:${each.server.port}`)),
      ).toEqual(new Set([`${user.sourceAddress} → ${server}`]));
    }
  },
);

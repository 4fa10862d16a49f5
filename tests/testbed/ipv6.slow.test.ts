import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import type { Engine } from '#core/evaluation/users/user-agent.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { observeConnection } from '#testbed/tcp/observe-connection.ts';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { joinOverLink, linkUser } from './support/join-over-link.ts';

const none = NetworkSchema.parse({ link: 'none' });
const user = (sourceAddress: string) => ({ sourceAddress, userClass: null });

it('has IPv6 addresses at both ends and for each user, and nothing on the link but what is sent', async () => {
  await using emulated = await openEmulatedNetwork({
    profile: resolveLinkProfile({ preset: 'none' }),
    userCount: 2,
    hasIpv6: true,
  });
  const { ground, users } = emulated.network;
  expect([ground.ipv6Address, ...users.map(({ ipv6Address }) => ipv6Address)]).toEqual([
    '2001:2:0:19::1',
    '2001:2:0:19::1:1',
    '2001:2:0:19::1:2',
  ]);
  const enter = emulated.network.enter('ground');
  for (const { ipv6Address, enter: enterUser } of users) {
    const seen = await observeConnection(enter, { enter: enterUser, address: ipv6Address! });
    expect(seen).toMatchObject({ pathMtuBytes: 1500 });
  }

  await emulated.apply({ network: none, users: [user('2001:db8::7')] });
  const remote = emulated.network.enter('remote');
  expect(await observeConnection(enter, { enter: remote, address: '2001:db8::7' })).toMatchObject({
    pathMtuBytes: 1500,
  });
  for (const taken of ['2001:2:0:19::2', 'fe80::5', '::1', 'ff02::1'])
    await expect(emulated.apply({ network: none, users: [user(taken)] })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('users of the testbed cannot have it') as unknown,
    });

  const before = await emulated.link.statistics();
  await pause(3_000);
  const after = await emulated.link.statistics();
  expect(after.forward.arrivedPackets).toBe(before.forward.arrivedPackets);
  expect(after.return.arrivedPackets).toBe(before.return.arrivedPackets);
});

const addresses: Record<string, string> = {
  gold: '2001:2:0:19::1:1',
  silver: '2001:2:0:19::1:2',
  bronze: '2001:2:0:19::1:3',
};
const engines: Record<string, Engine> = {
  gold: isFirefoxLeftOut ? 'chrome' : 'firefox',
  silver: 'extension',
  bronze: 'chrome',
};

it(
  'measures a page over IPv6 across the link in every browser, with the users’ addresses, captures, statistics and classes',
  { timeout: 900_000 },
  async (context) => {
    await using overLink = await joinOverLink({
      hasIpv6: true,
      extension: 'chrome',
      ...(!isFirefoxLeftOut && { firefoxPath: findFirefox() }),
    });
    const way = { rateKbps: 1000, delayMs: 120, queueBytes: 1_000_000 };
    const measure = async () => {
      const run = await overLink.run({
        name: 'Over IPv6',
        urlLists: { pages: [`${overLink.origin.ipv6Urls!.http!}/images/40`] },
        userAgents: Object.entries(addresses).map(([name, sourceAddress], index) => ({
          ...linkUser(name, index),
          userClass: name,
          engine: engines[name]!,
          sourceAddress,
        })),
        scenarios: [
          {
            name: 'IPv6',
            baseline: true,
            network: {
              link: { forward: way, return: way },
              classes: { gold: 0.6, silver: 0.25, bronze: 0.15 },
              tcp: { ground: { initialWindowSegments: 4 } },
            },
          },
        ],
        pageLoad: { restMs: 0, quietMs: 300 },
        repetition: { rounds: 1, warmUp: false, attempts: 4 },
      });
      expectCompleted(run, { visits: 3, failedVisits: 0 });

      const response = await overLink.program(`/api/runs/${run.id}/visits?format=json`);
      const rows = (await response.json()) as { user_agent: string; total_ms: number }[];
      const totalOf = (name: string) => rows.find(({ user_agent }) => user_agent === name)!.total_ms;

      const { passes } = run.rounds.find(({ state }) => state === 'completed')!;
      expect(passes).toHaveLength(3);
      for (const pass of passes) {
        const { statistics } = await overLink.readCapture('passes', pass.id);
        // Only its own packets, and all of them of IPv6.
        const ends = new Set(
          statistics.connections.map(({ client, server }) => `${client.address} → ${server.address}`),
        );
        expect(ends).toEqual(new Set([`${addresses[pass.userAgent]!} → ${overLink.network.ground.ipv6Address!}`]));
        expect(statistics.ip).toMatchObject({ v4Packets: 0, v6Packets: statistics.packets });
        expect(statistics.directions?.other.packets).toBe(0);
        expect(statistics.directions?.received.bytes).toBeGreaterThan(400_000);
      }

      return totalOf('gold') / totalOf('bronze');
    };
    await judgeTime(context, {
      measure,
      // 400 kB each: gold has its own after 5.3 s at 0.6 Mb/s, bronze after 9.6 s, when all is sent: 0.55. Without classes, 1.
      holds: (ratio) => expect(ratio).toBeLessThan(0.8),
      // Browsers start meanwhile.
      limits: { lateMs: 250 },
    });
  },
);

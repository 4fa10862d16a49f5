import { expect, test } from 'vitest';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { resolveInTestbed } from '#testbed/hosts/dns/resolve-in-testbed.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { judgeTime } from '../support/judge-time.ts';
import { holdForAll } from '#tests/support/hold.ts';

const emulated = holdForAll(() =>
  openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }), userCount: 1 }),
);

const way = { rateKbps: 'unlimited', delayMs: 50 };

async function apply(more: object): Promise<void> {
  await emulated.apply({ network: NetworkSchema.parse({ link: { forward: way, return: way }, ...more }), users: [] });
}

/** Runs a program of an asynchronous function's body where the user is, which knows `dns`, `connect(name)` and `get(name, path)`. Returns what it returns. */
async function askAsUser<Answer>(body: string): Promise<Answer> {
  const program = `
    const dns = require('node:dns/promises'); const net = require('node:net'); const http = require('node:http');
    const agent = new http.Agent({ keepAlive: true });
    const connect = (host) => new Promise((resolve, reject) => {
      const socket = net.connect({ host, port: 80 }, () => { socket.destroy(); resolve(); }).on('error', reject);
    });
    const get = (host, path) => new Promise((resolve, reject) =>
      http.get({ host, path, agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject));
    const time = async (work) => { const startMs = performance.now(); await work(); return performance.now() - startMs; };
    (async () => { ${body} })().then((answer) => { console.log(JSON.stringify(answer)); agent.destroy(); });`;
  const { enter } = emulated.network.users[0]!;
  return JSON.parse(await runTool(...enter, ...resolveInTestbed, process.execPath, '-e', program)) as Answer;
}

test('each host is as far as it says, and takes as long to think', async (context) => {
  const hosts = [
    { name: 'near.test' },
    { name: 'far.test', delayMs: 40 },
    { name: 'slow.test', thinkTimeMs: 200 },
    { name: 'narrow.test', rateKbps: 800 },
  ];
  await apply({ hosts });
  await judgeTime(context, {
    measure: () =>
      askAsUser<Record<'lookup' | 'near' | 'far' | 'slow' | 'narrow', number>>(`
        const lookup = await time(() => dns.lookup('near.test'));
        const addresses = {};
        for (const name of ['near', 'far', 'slow', 'narrow']) addresses[name] = (await dns.lookup(name + '.test')).address;
        const near = await time(() => connect(addresses.near));
        const far = await time(() => connect(addresses.far));
        await get(addresses.slow, '/blank');
        const slow = await time(() => get(addresses.slow, '/blank'));
        await get(addresses.narrow, '/blank');
        const narrow = await time(() => get(addresses.narrow, '/large/100000'));
        return { lookup, near, far, slow, narrow };`),
    holds: ({ lookup, near, far, slow, narrow }) => {
      for (const [measured, expected] of [
        [lookup, 100],
        [near, 100],
        [far, 180],
        [slow, 300],
      ] as const) {
        expect(measured).toBeGreaterThan(expected - 1);
        expect(measured).toBeLessThan(expected + 25);
      }
      // 100 kB and their headers at 800 kb/s, and round trips of slow start, which overlap with it in part.
      expect(narrow).toBeGreaterThan(1000);
      expect(narrow).toBeLessThan(1500);
    },
  });
});

test('a cache at the users answers without the link', async (context) => {
  await judgeTime(context, {
    measure: async () => {
      await apply({ hosts: [{ name: 'www.shop.test' }], dnsCache: 'terminal' });
      return askAsUser<number[]>(`
        const times = [];
        for (let count = 0; count < 3; count++) times.push(await time(() => dns.lookup('www.shop.test')));
        return times;`);
    },
    holds: ([first, second, third]) => {
      expect(first).toBeGreaterThan(100);
      expect(Math.max(second!, third!)).toBeLessThan(20);
    },
  });
});

test('a hundred hosts at a distance are set up in two seconds, and at once where they are there', async (context) => {
  const hosts = Array.from({ length: 100 }, (_, index) => ({ name: `h${index}.test`, delayMs: index }));
  await apply({ hosts: [{ name: 'www.shop.test', delayMs: 1 }] });
  await judgeTime(context, {
    measure: async () => {
      const times = [];
      for (const more of [{}, { hosts }, { hosts }]) {
        const startMs = performance.now();
        await apply(more);
        times.push(performance.now() - startMs);
      }
      await apply({ hosts: [{ name: 'www.shop.test', delayMs: 1 }] });
      return times;
    },
    holds: ([without, first, again]) => {
      expect(first! - without!).toBeLessThan(2000);
      expect(again! - without!).toBeLessThan(500);
    },
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { openEmulatedNetwork, type EmulatedNetwork } from '#testbed/emulated-network.ts';
import { resolveInTestbed } from '#testbed/hosts/dns/resolve-in-testbed.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';

let emulated: EmulatedNetwork;
beforeAll(async () => {
  emulated = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }), userCount: 1 });
});
afterAll(() => emulated[Symbol.asyncDispose]());

const networkOf = (more: object) => NetworkSchema.parse({ link: { forward: way, return: way }, ...more });
const way = { rateKbps: 'unlimited', delayMs: 0 };

it('x', async () => {
  const { enter } = emulated.network.users[0]!;
  const sh = async (script: string) => {
    const t = performance.now();
    const out = await runTool(...enter, ...resolveInTestbed, 'sh', '-c', `${script} 2>&1 || true`);
    console.log(script, Math.round(performance.now() - t), out);
  };
  await sh('cat /etc/resolv.conf; getent hosts localhost; for i in 1 2 3 4 5 6 7 8 9 10; do getent hosts www.shop.test; done');
  let t = performance.now();
  await emulated.apply({ network: networkOf({  }), users: [] });
  console.log('apply plain', performance.now() - t);
   t = performance.now();
  await emulated.apply({ network: networkOf({ hosts: [{ name: 'www.shop.test', delayMs: 20, thinkTimeMs: 50 }, { name: 'img.shop.test' , protocols: ['h3', 'h2', 'http/1.1']}] }), users: [] });
  console.log('apply', performance.now() - t);
  await sh('getent hosts www.shop.test; getent ahosts img.shop.test; getent hosts example.org; getent hosts 198.19.254.1; dig +short TYPE65 img.shop.test; dig +tcp TYPE65 img.shop.test; dig A nono.test');
  await sh('curl -sk -w "%{time_total} %{http_version}" https://www.shop.test/blank; curl -sk -w "%{time_total} %{http_version}" http://www.shop.test/blank; curl -vk https://img.shop.test/blank 2>&1 | grep -i "subject\\|HTTP/\\|alt"');
  await emulated.endRound();
  t = performance.now();
  await emulated.apply({ network: networkOf({ dnsCache: 'terminal', hosts: [{ name: 'www.shop.test', delayMs: 20, thinkTimeMs: 50 }, { name: 'img.shop.test' }] }), users: [] });
  console.log('apply', performance.now() - t);
  await sh('getent ahosts www.shop.test; getent ahosts www.shop.test; sleep 1; dig www.shop.test');
  await sh('curl -sk -w "%{time_total} %{http_version}" https://www.shop.test/blank; curl -sk -w "%{time_total} %{http_version}" http://www.shop.test/blank;');
  const hosts = Array.from({ length: 100 }, (_, i) => ({ name: `h${i}.shop.test`, delayMs: i + 1 }));
  t = performance.now();
  await emulated.apply({ network: networkOf({ hosts }), users: [] });
  console.log('apply 100', performance.now() - t);
  t = performance.now();
  await emulated.apply({ network: networkOf({ hosts }), users: [] });
  console.log('apply 100 again', performance.now() - t);
  await sh('curl -sk -w "%{time_total} %{http_version}" https://h99.shop.test/blank; curl -sk -w "%{time_total} %{http_version}" http://h0.shop.test/blank;');
  console.log(listNamespaces().length);
}, 60000);

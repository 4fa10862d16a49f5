import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';

/**
 * How much longer a Round is by what is on its path: `node bench/path-set-up.ts [TIMES]`, as root. Sets a GEO link, the same with a path, with a PEP, and with a tunnel, in turns, and takes
 * it back as at the end of a Round. Prints the median of both together, and how much it is above that of the link alone.
 */
const times = Number(process.argv[2] ?? 3);
const link = 'geo-8m';
const networks = {
  'link alone': { link },
  path: { link, path: { terrestrial: { preset: 'cable' } } },
  'path and PEP': { link, path: {}, tcpPep: { congestionControl: 'cubic', windowBytes: 600_000 } },
  'path and OpenVPN': { link, path: {}, tunnel: { kind: 'openvpn' } },
  'path, PEP and WireGuard': { link, path: {}, tcpPep: {}, tunnel: { kind: 'wireguard' } },
};
type Name = keyof typeof networks;
const names = Object.keys(networks) as Name[];
const users = [{ sourceAddress: '198.19.1.1', userClass: null }];

await using emulated = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) });
const seconds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
for (let time = 0; time < times; time++) {
  for (const name of names) {
    const network = NetworkSchema.parse(networks[name]);
    const startMs = performance.now();
    await emulated.apply({ network, users });
    await emulated.endRound();
    seconds[name].push((performance.now() - startMs) / 1000);
  }
}
const medianOf = (name: Name) => seconds[name].toSorted((one, other) => one - other)[Math.floor(times / 2)]!;
console.table(
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        'seconds, median': medianOf(name).toFixed(1),
        'longer than the link alone': (medianOf(name) - medianOf('link alone')).toFixed(1),
      },
    ]),
  ),
);

import { expect, test } from 'vitest';
import { planRoutes } from '#testbed/tunnel/route-tunnel.ts';
import {
  readStrays,
  findFaultsOfTry,
  findTunnelFault,
  subtractCounts,
  tunnelFigures,
} from '#testbed/tunnel/tunnel-counters.ts';

const counts = (innerPackets: number, innerBytes: number, outerBytes: number, strayPackets = 0) => ({
  innerPackets,
  innerBytes,
  outerPackets: innerPackets,
  outerBytes,
  strayPackets,
});

test('what a tunnel carried is reported by direction, with its overhead', () => {
  const traffic = { forward: counts(100, 140_000, 146_000), return: counts(50, 2000, 4000) };
  expect(findTunnelFault(traffic)).toBeNull();
  expect(tunnelFigures(traffic).map(({ figure, value, unit }) => `${figure} ${value?.toFixed(2)} ${unit}`)).toEqual([
    'forward in the tunnel 140.00 kB',
    'forward by the tunnel on the link 146.00 kB',
    'return in the tunnel 2.00 kB',
    'return by the tunnel on the link 4.00 kB',
    'tunnel overhead 5.63 %',
  ]);
});

test('a Round is refused when a packet passed beside the tunnel, or none through it', () => {
  expect(findTunnelFault({ forward: counts(9, 900, 990), return: counts(9, 900, 990, 1) })).toContain(
    '1 packets between users and origin crossed the link outside',
  );
  expect(findTunnelFault({ forward: counts(0, 0, 60), return: counts(0, 0, 60) })).toContain('nothing passed');
  // The end of the connection that tried the tunnel.
  expect(findTunnelFault({ forward: counts(2, 104, 224), return: counts(2, 104, 224) })).toContain('nothing passed');
});

test('the connection that tries a tunnel passes it both ways, inside and outside, and nothing of it passes beside', () => {
  const whole = counts(9, 900, 990);
  const [none, beside] = ['no packets of it passed the tunnel both ways', 'packets of it passed beside the tunnel'];
  expect(findFaultsOfTry({ forward: whole, return: whole })).toEqual([]);
  for (const half of [counts(0, 0, 0), { ...whole, innerPackets: 0 }, { ...whole, outerPackets: 0 }]) {
    expect(findFaultsOfTry({ forward: half, return: whole })).toEqual([none]);
    expect(findFaultsOfTry({ forward: whole, return: half })).toEqual([none]);
  }
  expect(findFaultsOfTry({ forward: counts(9, 900, 990, 1), return: whole })).toEqual([beside]);
  expect(findFaultsOfTry({ forward: whole, return: counts(9, 900, 990, 1) })).toEqual([beside]);
});

test('what passed in a Round leaves out what passed before it', () => {
  expect(subtractCounts(counts(9, 900, 990, 5), counts(4, 300, 350, 2))).toEqual({
    ...counts(5, 600, 640, 3),
  });
});

test('the packets beside a tunnel are those of its own rules', () => {
  expect(
    readStrays(`*mangle
[7:420] -A POSTROUTING -d 198.19.0.1/32 -o link0 -p tcp -m mark ! --mark 0x6861 -m comment --comment http-ae-beside-tunnel
[2:99] -A POSTROUTING -d 198.19.0.1/32 -o link0 -p udp -m mark ! --mark 0x6861 -m comment --comment "http-ae-beside-tunnel"
[500:9000] -A POSTROUTING -o link0 -j ACCEPT
COMMIT`),
  ).toBe(9);
});

test('all users are behind a tunnel, those with addresses of their own too, and by IPv6 where the network has it', () => {
  const ground = { address: '198.18.0.1', ipv6Address: null };
  const addresses = ['203.0.113.7', '198.19.0.0/16'];
  const nodes = '198.19.255.0/30';
  expect(planRoutes({ to: 'origin', ground, addresses })).toEqual({
    behindUser: ['198.19.0.0/16', '203.0.113.7'],
    except: [nodes],
  });
  const both = { ...ground, ipv6Address: '2001:2::1' };
  expect(planRoutes({ to: 'gateway', ground: both, addresses: [] })).toEqual({
    behindUser: ['198.19.0.0/16', '2001:2:0:19::/64'],
    except: [nodes, ground.address],
  });
});

import { expect, test } from 'vitest';
import { buildCaptureFilter } from '#agent/capture/build-capture-filter.ts';
import { readDefaultRoutes, slots } from '#agent/users/isolate-user.ts';
import { formatPortRule, parsePortRule, type PortRule } from '#agent/users/port-rule.ts';

const rule: PortRule = {
  interface: 'eth0.7',
  uid: 2_000_000_003,
  ports: { first: 16_768, last: 18_767 },
  owner: { pidNamespace: '4026531836', pid: 812, startTicks: 99_123 },
};

test('a rule is read back from what iptables lists, and those of others are not', () => {
  for (const protocol of ['tcp', 'udp'] as const) {
    const listed = `-A POSTROUTING ${formatPortRule(rule, protocol)}`;
    expect(parsePortRule(listed)).toEqual(rule);
    expect(parsePortRule(listed.replace(/(http-ae\S+)/, '"$1"'))).toEqual(rule);
    expect(parsePortRule(listed.replace('http-ae-', 'other-'))).toBeNull();
    expect(parsePortRule(listed.replace('MASQUERADE', 'SNAT'))).toBeNull();
  }
});

test('no two slots share an OS user or a port, and none has a port that Linux gives by itself', () => {
  const [first, ...others] = slots;
  let before = first!;
  for (const slot of others) {
    expect(slot.uid).toBeGreaterThan(before.uid);
    expect(slot.ports.first).toBeGreaterThan(before.ports.last);
    before = slot;
  }
  expect(before.ports.last).toBeLessThan(32_768);
});

test('packets of an isolated User Agent are those of its ports, and not of such ports of a server', () => {
  expect(buildCaptureFilter({ addresses: ['192.0.2.1', '2001:db8::1'], ports: rule.ports })).toBe(
    '(((src host 192.0.2.1 or src host 2001:db8::1) and src portrange 16768-18767) or ((dst host 192.0.2.1 or dst host 2001:db8::1) and dst portrange 16768-18767))',
  );
});

test('the interface is that of the default route with the lowest metric', () => {
  const table = `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t0000A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
`;
  expect(readDefaultRoutes(table)).toEqual(['eth0', 'wlan0']);
  expect(readDefaultRoutes('')).toEqual([]);
});

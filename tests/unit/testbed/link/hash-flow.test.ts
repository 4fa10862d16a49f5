import { expect, test } from 'vitest';
import { hashFlow } from '#testbed/link/userspace/relay.ts';

/** An Ethernet frame of IPv4, with ports where TCP and UDP have them. */
function frameOf({
  from = 1,
  to = 2,
  protocol = 6,
  ports = [80, 5000],
  fragment = 0,
  isVersion6 = false,
} = {}): Buffer {
  const frame = Buffer.alloc(14 + 60);
  frame.writeUInt16BE(isVersion6 ? 0x86dd : 0x0800, 12);
  const ip = frame.subarray(14);
  if (isVersion6) {
    ip[0] = 0x60;
    ip[6] = protocol;
    ip[23] = from;
    ip[39] = to;
  } else {
    ip[0] = 0x45;
    ip.writeUInt16BE(fragment, 6);
    ip[9] = protocol;
    ip[15] = from;
    ip[19] = to;
  }
  const transport = ip.subarray(isVersion6 ? 40 : 20);
  ports.forEach((port, index) => transport.writeUInt16BE(port, index * 2));
  return frame;
}

test.each([false, true])(
  'packets of a flow have one number, and others of addresses, protocol or ports another (IPv6: %s)',
  (isVersion6) => {
    const own = hashFlow(frameOf({ isVersion6 }), 7);
    const later = frameOf({ isVersion6 });
    later[70] = 99; // payload
    expect(hashFlow(later, 7)).toBe(own);
    for (const other of [{ from: 3 }, { to: 3 }, { protocol: 17 }, { ports: [81, 5000] }, { ports: [80, 5001] }])
      expect(hashFlow(frameOf({ isVersion6, ...other }), 7)).not.toBe(own);
    expect(hashFlow(frameOf({ isVersion6 }), 8)).not.toBe(own);
  },
);

test('what has no ports is a flow by its addresses', () => {
  expect(hashFlow(frameOf({ protocol: 1, ports: [1, 2] }), 7)).toBe(
    hashFlow(frameOf({ protocol: 1, ports: [3, 4] }), 7),
  );
  expect(hashFlow(frameOf({ fragment: 0x2001, ports: [1, 2] }), 7)).toBe(
    hashFlow(frameOf({ fragment: 0x2001, ports: [3, 4] }), 7),
  );
  expect(hashFlow(Buffer.alloc(60), 7)).toBe(0);
});

test('a thousand flows spread over the queues', () => {
  const queues = new Map<number, number>();
  for (let port = 40_000; port < 41_024; port++) {
    const queue = hashFlow(frameOf({ ports: [port, 80] }), 7) % 1024;
    queues.set(queue, (queues.get(queue) ?? 0) + 1);
  }
  // A random hash leaves 1024 / e queues empty.
  expect(queues.size).toBeGreaterThan(550);
  expect(Math.max(...queues.values())).toBeLessThan(12);
});

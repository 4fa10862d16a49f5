import { expect, test } from 'vitest';
import { readAddress } from '#testbed/hosts/distance/host-relay.ts';
import { spreadObjects } from '#testbed/origin/pages/send-page-of-images.ts';
import { frames, ipBytes, udpBytes } from '#tests/support/packets/packet-bytes.ts';

const count = (hosts: number[], host: number) => hosts.filter((each) => each === host).length;

test('host k of a page has 1/k of the objects that the first has', () => {
  const spread = spreadObjects(110, 3); // 1 + 1/2 + 1/3 = 11/6
  expect([0, 1, 2].map((host) => count(spread, host))).toEqual([60, 30, 20]);
});

test('the first objects of a page are spread as all are', () => {
  const spread = spreadObjects(44, 3);
  for (const [host, share] of [6 / 11, 3 / 11, 2 / 11].entries())
    for (let first = 1; first <= 44; first++)
      expect(Math.abs(count(spread.slice(0, first), host) - first * share)).toBeLessThan(1);
  expect(spreadObjects(2, 200)).toEqual([0, 1]);
  expect(spreadObjects(3, 1)).toEqual([0, 0, 0]);
  expect(spreadObjects(0, 5)).toEqual([]);
});

test('a frame is of the host whose address it has', () => {
  const ends = { source: '198.19.1.1', destination: '198.19.254.7', protocol: 17 };
  const frame = Buffer.from(frames.ethernet!.wrap(ipBytes(ends, udpBytes(1, 2, new Uint8Array(8)))));
  expect([readAddress(frame, 'source'), readAddress(frame, 'destination')]).toEqual(['198.19.1.1', '198.19.254.7']);
  expect(readAddress(frame.subarray(0, 30), 'source')).toBeNull();
  const arp = Buffer.from(frame);
  arp.writeUInt16BE(0x0806, 12);
  expect(readAddress(arp, 'source')).toBeNull();
});

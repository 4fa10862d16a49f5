import { expect, test } from 'vitest';
import { readCodedEnd } from '#web-ui/src/pages/visit/film/record-films.ts';

/** As Chrome writes it: a head, then a segment and clusters of unknown length. */
const head = '1a45dfa3' + '84' + '42868101' + '18538067' + '01ffffffffffffff' + '1549a966' + '82' + 'ffff';
const clusterAt = (timestamp: string) => `1f43b67501ffffffffffffff${timestamp}`;
const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

test('the last picture has the time of its cluster and its own', () => {
  const first = clusterAt('e78100') + 'a38581000080aa' + 'a38581002b00aa';
  expect(readCodedEnd(bytesOf(head + first))).toBe(43);
  // 0x0400 ms, less 1: within a group of blocks, after a block with a longer length.
  const second = clusterAt('e7820400') + 'a34005' + '81000000aa' + 'a087' + 'a185' + '81ffff00aa';
  expect(readCodedEnd(bytesOf(head + first + second))).toBe(1023);
});

test('without a whole picture there is no time, and what is cut off is not read', () => {
  expect(readCodedEnd(bytesOf(''))).toBeNull();
  expect(readCodedEnd(bytesOf(head))).toBeNull();
  expect(readCodedEnd(bytesOf(head + clusterAt('e78100') + 'a38581'))).toBeNull();
  expect(readCodedEnd(bytesOf('00'.repeat(40)))).toBeNull();
});

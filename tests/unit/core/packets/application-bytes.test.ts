import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApplicationBytes } from '#core/packets/tls/application-bytes.ts';

const record = (type: number, contentBytes: number) =>
  Buffer.concat([Buffer.from([type, 3, 3, contentBytes >> 8, contentBytes & 0xff]), Buffer.alloc(contentBytes, 0xaa)]);
const handshake = (bytes = 300) => record(22, bytes);
const cipherChange = record(20, 1);
/** What seals it comes on top. */
const data = (bytes: number) => record(23, bytes + 17);

/** Of a stream that comes in parts of these lengths, the last of which is repeated; of each, `snapBytes` are captured. */
function count(stream: Buffer, lengths: readonly number[] = [1460], snapBytes = Infinity): ApplicationBytes {
  const counter = new ApplicationBytes();
  for (let [start, index] = [0, 0]; start < stream.length; index++) {
    const part = stream.subarray(start, start + lengths[Math.min(index, lengths.length - 1)]!);
    counter.add(start, { length: part.length, captured: part.subarray(0, snapBytes) });
    start += part.length;
  }
  return counter;
}

test('without TLS, all bytes are for the application', () => {
  const { bytes, isTls } = count(Buffer.from('GET / HTTP/1.1\r\n\r\n'), [4, 9]);
  expect([bytes, isTls]).toEqual([18, false]);
});

test.for<[string, Buffer[], number]>([
  ['of a handshake alone', [handshake()], 0],
  ['in the clear handshake and sealed records, alone', [handshake(), data(100), data(20)], 120],
  ['not in the end of the handshake after a change of ciphers', [handshake(), cipherChange, data(40), data(100)], 100],
  ['not in a handshake that TLS 1.2 seals', [handshake(), cipherChange, handshake(40), data(100)], 100],
  ['in an empty record', [handshake(), data(0)], 0],
  ['in a record that is shorter than a seal', [handshake(), record(23, 5), data(1)], 1],
  ['in a record of more than 255 bytes', [handshake(), data(4097)], 4097],
  ['in an alert', [handshake(), record(21, 26)], 0],
])('under TLS, bytes for the application are counted %s', ([, records, bytes]) => {
  const found = count(Buffer.concat(records));
  expect([found.bytes, found.isTls]).toEqual([bytes, true]);
});

test('how a stream is cut into segments at heads of records makes no difference', () => {
  const records = [handshake(), cipherChange, data(40), data(900), data(3)];
  const stream = Buffer.concat(records);
  const bounds = records.map((_, index) => Buffer.concat(records.slice(0, index)).length);
  // A segment may end anywhere but within the head of a record.
  const isBetween = (at: number) => !bounds.some((bound) => at > bound && at < bound + 5);
  const places = Array.from({ length: stream.length - 1 }, (_, index) => index + 1).filter(isBetween);
  fc.assert(
    fc.property(fc.subarray(places), (cuts) => {
      const lengths = [...cuts, stream.length].map((cut, index) => cut - (cuts[index - 1] ?? 0));
      expect(count(stream, lengths)).toMatchObject({ bytes: 903, isTls: true });
    }),
  );
});

test('what follows a record whose head was not captured counts whole', () => {
  const stream = Buffer.concat([handshake(95), data(78), data(78)]);
  expect(count(stream, [1460], 105)).toMatchObject({ bytes: 78 + 100, isTls: true });
  // One byte of the second head is missing, and one of the first.
  expect(count(stream, [1460], 104)).toMatchObject({ bytes: 200, isTls: true });
  expect(count(stream, [1460], 205)).toMatchObject({ bytes: 156, isTls: true });
  // Then all that comes, once.
  expect(count(stream, [250, 50], 104)).toMatchObject({ bytes: 200, isTls: true });
});

test('a segment that comes twice counts once', () => {
  const counter = new ApplicationBytes();
  const part = (start: number, length: number) => counter.add(start, { length, captured: Buffer.alloc(length, 65) });
  part(0, 100);
  part(0, 100);
  part(50, 100);
  expect(counter.bytes).toBe(150);
});

test('a stream whose first byte was not seen counts nothing', () => {
  const counter = new ApplicationBytes();
  counter.add(10, { length: 100, captured: Buffer.alloc(100, 65) });
  expect(counter.bytes).toBe(0);
});

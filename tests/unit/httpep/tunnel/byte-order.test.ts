import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteOrder } from '#httpep/tunnel/tunnel-stream.ts';

test('pieces in any order, some twice and overlapping, give the bytes once and in order', () => {
  const sample = fc.record({
    bytes: fc.uint8Array({ maxLength: 300 }),
    cuts: fc.array(fc.nat(300), { maxLength: 20 }),
    seed: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  });
  fc.assert(
    fc.property(sample, ({ bytes, cuts, seed }) => {
      const whole = Buffer.from(bytes);
      const edges = [...new Set([0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length])].sort(
        (one, other) => one - other,
      );
      const pieces = edges.slice(1).map((end, index) => ({ start: edges[index]!, end }));
      const overlapping = pieces.map(({ start, end }, index) => ({
        start: Math.max(0, start - (seed[index]! % 7)),
        end,
      }));
      const mixed = [...pieces, ...overlapping]
        .map((piece, index) => ({ piece, key: seed[(index * 7) % seed.length]! + index }))
        .sort((one, other) => (one.key % 97) - (other.key % 97));
      const order = new ByteOrder();
      const received: Buffer[] = [];
      mixed.forEach(({ piece: { start, end } }, index) => {
        if (index === mixed.length >> 1) order.endAt(whole.length);
        received.push(...order.add(start, whole.subarray(start, end)));
      });
      order.endAt(whole.length);
      expect(Buffer.concat(received)).toEqual(whole);
      expect(order.isWhole).toBe(true);
    }),
  );
});

test('bytes after the end are refused', () => {
  const order = new ByteOrder();
  order.add(10, Buffer.alloc(5));
  expect(() => order.endAt(12)).toThrow('bytes after its end');
  order.endAt(15);
  expect(() => order.endAt(16)).toThrow('bytes after its end');
  expect(() => order.add(15, Buffer.alloc(1))).toThrow('bytes after its end');
});

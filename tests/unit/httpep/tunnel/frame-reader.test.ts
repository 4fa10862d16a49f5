import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, frameTypes, type FrameType } from '#httpep/tunnel/frame.ts';
import { FrameReader } from '#httpep/tunnel/tunnel-connection.ts';

const frames = fc.array(
  fc.record({
    type: fc.constantFrom<FrameType>(...Object.values(frameTypes)),
    stream: fc.nat({ max: 2 ** 48 - 1 }),
    offset: fc.nat({ max: 2 ** 48 - 1 }),
    payload: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 20 },
);

test('frames are found in any pieces of the bytes', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), (expected, sizes) => {
      const bytes = Buffer.concat(expected.map((frame) => encodeFrame(frame)));
      const reader = new FrameReader();
      const found = [];
      for (let place = 0, turn = 0; place < bytes.length; turn++) {
        const size = sizes[turn % sizes.length]!;
        found.push(...reader.read(bytes.subarray(place, place + size)));
        place += size;
      }
      expect(found).toEqual(expected);
    }),
  );
});

test('a frame of a type that does not exist is refused', () => {
  const bytes = encodeFrame({ type: frameTypes.data, stream: 1, offset: 0 });
  bytes[2] = 99;
  expect(() => new FrameReader().read(bytes)).toThrow('type 99');
});

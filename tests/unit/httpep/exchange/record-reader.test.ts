import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordReader, encodeRecord, recordTypes, type RecordType } from '#httpep/exchange/read-records.ts';

const records = fc.array(
  fc.record({
    type: fc.constantFrom<RecordType>(...Object.values(recordTypes)),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 20 },
);

/** Bodies come in parts: put those of one record together again. */
function join(found: { type: RecordType; bytes: Buffer }[]): string[] {
  const texts: string[] = [];
  for (const [index, { type, bytes }] of found.entries()) {
    const isPart = type === recordTypes.body && found[index - 1]?.type === recordTypes.body;
    if (isPart) texts.push(`${texts.pop()!}${bytes.toString('hex')}`);
    else texts.push(`${type} ${bytes.toString('hex')}`);
  }
  return texts;
}

test('records are found in any pieces of a stream', () => {
  fc.assert(
    fc.property(records, fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), (expected, sizes) => {
      const bytes = Buffer.concat(expected.map((record) => encodeRecord(record.type, record.bytes)));
      const reader = new RecordReader();
      const found = [];
      for (let place = 0, turn = 0; place < bytes.length; turn++) {
        const size = sizes[turn % sizes.length]!;
        found.push(...reader.read(bytes.subarray(place, place + size)));
        place += size;
      }
      expect(join(found)).toEqual(join(expected));
    }),
  );
});

test('a body is handed on before it is whole', () => {
  const bytes = encodeRecord(recordTypes.body, Buffer.from('slow'));
  expect(new RecordReader().read(bytes.subarray(0, 6))).toEqual([{ type: recordTypes.body, bytes: Buffer.from('sl') }]);
});

test('what is no record, and a head that is too long, are refused', () => {
  expect(() => new RecordReader().read(Buffer.from([9, 0, 0, 0]))).toThrow('type 9');
  expect(() => new RecordReader().read(Buffer.from([1, 255, 0, 0]))).toThrow('too long');
});

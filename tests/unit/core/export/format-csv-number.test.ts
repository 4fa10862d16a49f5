import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsvRow, formatCsvNumber } from '#core/export/format-csv-row.ts';
import { formatCsv } from '#web-ui/src/export/figure-table.ts';

test.for([
  [1264.4000000000233, '1264.4'],
  [1.1840403940000002, '1.18404039'],
  [0.1 + 0.2, '0.3'],
  [1_800_000_000_123.0625, '1800000000123.0625'],
  [123_456.78912, '123456.7891'],
  [0.000123456789012, '0.000123456789'],
  [-17.25, '-17.25'],
  [9_007_199_254_740_991, '9007199254740991'],
  [0, '0'],
] as const)('%f is written as %s in every CSV', ([value, text]) => {
  expect(formatCsvNumber(value)).toBe(text);
  expect(formatCsvRow([value])).toBe(`${text}\r\n`);
  expect(formatCsv({ columns: [{ label: 'a' }], rows: [[value]] })).toBe(`a\r\n${text}\r\n`);
});

test('no number in a CSV is off by more than 0.1 µs of milliseconds, or by half of its ninth digit', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
      expect(Math.abs(Number(formatCsvNumber(value)) - value)).toBeLessThanOrEqual(
        Math.min(0.0001, Math.max(Math.abs(value) * 5.1e-9, 1e-300)),
      );
    }),
  );
});

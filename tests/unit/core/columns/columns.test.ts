import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromColumns, toColumns } from '#core/columns/columns.ts';
import { readRecordedVisits } from '../metrics/support/recorded-visits.ts';

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('JSON as columns', () => {
  it('is what it was when it comes back', () => {
    for (const { snapshot } of readRecordedVisits())
      expect(fromColumns(throughJson(toColumns(snapshot)))).toStrictEqual(snapshot);
  });

  it('is what it was, for any JSON', () => {
    const time = fc.integer({ min: -1e15, max: 1e15 }).map((thousandths) => thousandths / 1000);
    const field = fc.oneof(time, fc.double(), fc.constant(null), fc.string(), fc.boolean());
    const key = fc.constantFrom('a', 'b', 'c', 'constructor', 'length', '0', '', 'rows');
    const objectsOf = (value: fc.Arbitrary<unknown>) =>
      fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });
    const few = { maxLength: 4 };
    const many = { minLength: 8, maxLength: 10 };
    const inner = fc.oneof(field, fc.array(objectsOf(field), many), fc.array(field, few));
    const value = fc.array(fc.oneof({ weight: 40, arbitrary: objectsOf(inner) }, field), many);
    fc.assert(
      fc.property(value, (any) => {
        const json = throughJson(any);
        expect(fromColumns(throughJson(toColumns(json)))).toEqual(json);
      }),
      { numRuns: 1000 },
    );
  });

  it('has times as steps, and what some objects lack by their places', () => {
    const parts = Array.from({ length: 8 }, (_, x) => ({ x }));
    const all = Array.from({ length: 8 }, (_, index) => ({
      at: 1.5 + index / 4,
      end: index === 0 ? null : 3.125,
      size: 10,
      parts: index === 0 ? parts : [{ x: 0 }],
      ...(index === 5 && { late: true }),
    }));
    expect(toColumns({ all })).toEqual({
      all: {
        $columns: [
          { name: 'at', steps: [1500, 250, 250, 250, 250, 250, 250, 250] },
          { name: 'end', steps: [null, 3125, 0, 0, 0, 0, 0, 0] },
          { name: 'size', value: 10 },
          {
            name: 'parts',
            values: [
              { $columns: [{ name: 'x', values: [0, 1, 2, 3, 4, 5, 6, 7] }] },
              ...Array<unknown>(7).fill([{ x: 0 }]),
            ],
          },
          { name: 'late', value: true, rows: [5] },
        ],
      },
    });
    expect(toColumns(all.slice(1))).toEqual(all.slice(1));
  });

  it('has times as distances from the first times of the same object, where these are smaller', () => {
    const rows = Array.from({ length: 8 }, (_, index) => {
      const at = (index % 2 === 0 ? 5000 : 9000) + index + 0.5;
      return { at, end: at + 1.25, zero: index === 3 ? 0 : at + 2, part: { at }, ...(index > 5 && { late: at + 3 }) };
    });
    const columns = toColumns(rows) as { $columns: { name: string }[] };
    expect(columns.$columns.slice(1)).toEqual([
      { name: 'end', from: Array(8).fill(1250) },
      { name: 'zero', from: [2000, 2000, 2000, false, 2000, 2000, 2000, 2000] },
      { name: 'part', values: expect.anything() as unknown },
      { name: 'late', from: [3000, 3000], rows: [6, 7] },
    ]);
    expect(fromColumns(throughJson(columns))).toEqual(rows);
  });

  it.each([
    ['no array', 1],
    ['no column', []],
    ['a column that is none', [null]],
    ['a column without a name', [{ values: [1] }]],
    ['a column without values', [{ name: 'a' }]],
    ['values that are no array', [{ name: 'a', values: { length: 1e9 } }]],
    ['steps that are no array', [{ name: 'a', steps: 1e9 }]],
    ['a step that is no number', [{ name: 'a', steps: [1, '2'] }]],
    ['distances without a base', [{ name: 'a', from: [1] }]],
    ['a distance that is no number', [{ name: 'a', steps: [1, 2] }, { name: 'b', from: [1, '2'] }]], // oxfmt-ignore
    ['one value that is an object', [{ name: 'a', values: [1] }, { name: 'b', value: {} }]], // oxfmt-ignore
    ['one value for nobody knows how many', [{ name: 'a', value: 1 }]],
    ['one value for more objects than a page has', [{ name: 'a', values: Array(3000).fill(0) }, ...Array<unknown>(1000).fill({ name: 'b', value: 1 })]], // oxfmt-ignore
    ['a name that marks columns', [{ name: '$columns', values: [[]] }]],
    ['rows that are no array', [{ name: 'a', values: [1] }, { name: 'b', values: [1], rows: '0' }]], // oxfmt-ignore
    ['columns of several lengths', [{ name: 'a', values: [1, 2] }, { name: 'b', values: [1] }]], // oxfmt-ignore
    ['rows of another length', [{ name: 'a', values: [1, 2] }, { name: 'b', values: [1], rows: [0, 1] }]], // oxfmt-ignore
    ['a row that is not there', [{ name: 'a', values: [1] }, { name: 'b', values: [1], rows: [1] }]], // oxfmt-ignore
    ['a row that is no number', [{ name: 'a', values: [1] }, { name: 'b', values: [1], rows: ['__proto__'] }]], // oxfmt-ignore
    ['no column that all objects have', [{ name: 'a', values: [1], rows: [0] }]],
    ['a name that would change objects', [{ name: '__proto__', values: [{ isAdmin: true }] }]],
  ])('refuses %s', (_, columns) => {
    expect(() => fromColumns({ requests: { $columns: columns } })).toThrow(/column/);
    expect([].constructor.prototype).not.toHaveProperty('b');
  });
});

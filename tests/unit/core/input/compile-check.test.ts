import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testVariables } from '#cli/test/test-options.ts';
import { compileCheck } from '#core/input/compile-check.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { readRecordedVisits } from '../metrics/support/recorded-visits.ts';

const mutations = process.env[testVariables.all] === undefined ? 10_000 : 100_000;

type Container = Record<string | number, unknown>;

/** Each place of a value of JSON, as what contains it and its key. */
function listPlaces(value: unknown): [Container, string | number][] {
  if (typeof value !== 'object' || value === null) return [];
  const container = value as Container;
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[container, key], ...listPlaces(container[key])]);
}

const strange = [
  ...[null, true, '', 'x', '\u0000', 'https://a.test/', 'x'.repeat(70_000), [], [[]], {}, [null], [{}]],
  ...[0, -1, 0.5, 1, 9, 1e13, 1e14, 8e15, 8.1e15, 2 ** 53, Number.MAX_SAFE_INTEGER, 1e300, Infinity, undefined],
];

test(`the check and zod accept and refuse the same of ${mutations} Snapshots with a strange value in some place`, () => {
  const isSnapshot = compileCheck(SnapshotSchema);
  const snapshots = readRecordedVisits().map(({ snapshot }) => structuredClone(snapshot));
  const places = snapshots.map(listPlaces);
  const counts = { accepted: 0, refused: 0 };
  for (const snapshot of snapshots) expect(isSnapshot(snapshot)).toBe(true);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.constantFrom(...strange), (which, where, value) => {
      const snapshot = snapshots[which % snapshots.length]!;
      const own = places[which % snapshots.length]!;
      const [container, key] = own[where % own.length]!;
      const before = container[key];
      container[key] = value;
      try {
        const isAccepted = SnapshotSchema.safeParse(snapshot).success;
        counts[isAccepted ? 'accepted' : 'refused']++;
        expect(isSnapshot(snapshot)).toBe(isAccepted);
      } finally {
        container[key] = before;
      }
    }),
    { numRuns: mutations },
  );
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(mutations / 100);
});

describe('a compiled check', () => {
  test.for([
    ['a tuple', z.tuple([z.string(), z.int()]), [['a', 1]], [['a'], ['a', 1, 2], ['a', 0.5], 'a']],
    ['a record', z.record(z.string().max(1), z.number()), [{}, { a: 1 }], [{ ab: 1 }, { a: 'x' }, []]],
    ['a strict object', z.strictObject({ a: z.literal(1).optional() }), [{}, { a: 1 }], [{ b: 1 }, { a: null }]],
    ['an object', z.object({ a: z.null() }), [{ a: null, b: 1 }], [{}, null, [], 'a']],
    ['a pattern', z.string().regex(/^a+$/).min(2), ['aa'], ['a', 'ab', 1]],
    ['a refinement', z.array(z.int()).refine((list) => list.includes(1)), [[1]], [[], [2], ['1'], 1]],
    ['a union', z.union([z.int(), z.enum(['a', 'b']), z.null()]), [1, 'b', null], ['c', 0.5, true]],
    ['bounds', z.number().positive().max(3), [3, 0.1], [0, 3.1, Infinity, NaN, '1']],
  ] as const)('of %s accepts and refuses as zod does', ([, schema, accepted, refused]) => {
    const check = compileCheck(schema as z.ZodType);
    for (const [values, isRight] of [
      [accepted, true],
      [refused, false],
    ] as const) {
      for (const value of values as readonly unknown[]) {
        expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(isRight);
        expect(check(value), JSON.stringify(value)).toBe(isRight);
      }
    }
  });

  test.for([
    ['a default', z.object({ a: z.string().default('x') })],
    ['a transformation', z.string().transform(Number)],
    ['trimming', z.string().trim()],
    ['a format', z.email()],
    ['code of its own', z.string().superRefine(() => undefined)],
    [
      'itself',
      z
        .object({
          get self() {
            return z.lazy(() => z.string()).optional();
          },
        })
        .catch({}),
    ],
  ] as const)('of a schema with %s is refused, and not wrong', ([, schema]) => {
    expect(() => compileCheck(schema as z.ZodType)).toThrow('No check can be compiled');
  });
});

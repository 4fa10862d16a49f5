import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { minimiseValue } from '#tests/fuzz/support/minimise-value.ts';
import { mutateValue, type Json } from '#tests/fuzz/support/mutate-value.ts';
import { runTarget } from '#tests/fuzz/support/run-target.ts';
import { arbitraryOf } from '#tests/fuzz/support/schema-arbitrary.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';

const run = (
  name: string,
  options: {
    corpus?: Json[];
    durationMs?: number;
    leastBatches?: number;
    wantsCorpus?: boolean;
    maximumCpuMs?: number;
    maximumSilenceMs?: number;
  } = {},
) =>
  runTarget({
    module: new URL(`targets/${name}.ts`, import.meta.url).href,
    sources: ['tests/unit/fuzz/targets/read-words.ts'],
    seed: 1,
    durationMs: 300,
    corpus: [],
    wantsCorpus: false,
    ...options,
  });

test('a fault behind several conditions is found by way of the coverage, and reported with the smallest input', async () => {
  const { failures, figures } = await run('deep', { durationMs: 0, leastBatches: 60 });
  expect(failures).toHaveLength(1);
  expect(failures[0]!.problem).toContain('RangeError: the deepest branch');
  expect(failures[0]!.input).toEqual(['open', 'open', '', '', '']);
  expect(figures!.executions).toBeGreaterThan(100);
  expect(figures!.reachedRatio).toBe(1);
});

test('of the inputs that reach the same code, only the smallest stay in the corpus', async () => {
  const corpus = [
    ['long enough'],
    ['open', 'x'],
    ['open', 'x', 'y', 'z'],
    ['open', 'open', 'y', 'z'],
    ['open', 'x', 'y', 'z', 'more'],
  ];
  const { figures } = await run('deep', { corpus, durationMs: 1, wantsCorpus: true });
  const chosen = figures!.corpus as string[][];
  expect(chosen.toSorted((one, other) => one.join('|').length - other.join('|').length)).toEqual([
    [],
    ['open'],
    ['open', '', '', ''],
    ['open', 'open', '', ''],
  ]);
});

test.for([
  ['busy', 60_000, /took \d+ ms of processor time, and may take 200/],
  ['endless', 2_000, /did not end within 2 s/],
  ['greedy', 60_000, /reaching memory limit/],
] as const)(
  'an input that is %s is a failure, with what it did',
  { timeout: 60_000 },
  async ([input, maximumSilenceMs, problem]) => {
    const { failures } = await run('endless', { corpus: ['quick', input], maximumSilenceMs, maximumCpuMs: 200 });
    expect(failures).toMatchObject([{ input, problem: expect.stringMatching(problem) as string }]);
  },
);

test('mutations of JSON are JSON, and leave what they are made of as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.nat(), (value, donor, seed) => {
      const before = JSON.stringify([value, donor]);
      const mutated = mutateValue(value as Json, { donor: donor as Json, random: createRandom(seed) });
      expect(JSON.stringify([value, donor])).toBe(before);
      expect(JSON.parse(JSON.stringify(mutated ?? null))).toBeDefined();
    }),
  );
});

test('a value is made smaller as long as it stays good', async () => {
  const value = { a: [1, 2, 300, { deep: 'the needle is here' }], b: 'nothing', c: null };
  expect(
    await minimiseValue(value, (each) => JSON.stringify(each).includes('needle'), { maximumTries: 1_000 }),
  ).toEqual({ a: [{ deep: 'needle' }] });
});

test('what is made of a schema fits it', () => {
  const schema = z.object({
    kind: z.enum(['a', 'b']),
    id: z.uuid(),
    count: z.number().int().positive().max(7),
    ratio: z.number().min(0).max(1).nullable(),
    name: z
      .string()
      .regex(/^[a-z]{2,5}$/)
      .optional(),
    list: z.array(z.tuple([z.boolean(), z.string().max(3)])).min(1),
    more: z.record(
      z.string().max(4),
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('x') }),
        z.object({ type: z.literal('y'), at: z.iso.datetime() }),
      ]),
    ),
    rest: z.preprocess((each) => each, z.string()).default('c'),
  });
  fc.assert(
    fc.property(arbitraryOf(schema), (value) => {
      expect(schema.safeParse(value).error).toBeUndefined();
    }),
  );
});

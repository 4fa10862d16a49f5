import fc from 'fast-check';
import { z } from 'zod';
import { fromColumns, toColumns } from '#core/columns/columns.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must, mustEqual } from '../support/promises.ts';

const InputSchema = z.strictObject({ json: z.json() });
type Input = z.infer<typeof InputSchema>;

const name = fc.constantFrom('a', 'b', '$columns', '__proto__', 'constructor', '0', 'length');
const time = fc.integer({ min: -1e9, max: 1e13 }).map((thousandths) => thousandths / 1000);
const scalar = fc.oneof(
  time,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, 'a', ''),
);
const { json } = fc.letrec<{ json: unknown; column: unknown; object: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('object'), { minLength: 7, maxLength: 9 }),
    fc.record({ $columns: fc.oneof({ weight: 9, arbitrary: fc.array(tie('column'), { maxLength: 3 }) }, scalar) }),
  ),
  object: fc.dictionary(name, tie('json'), { maxKeys: 3 }),
  column: fc.record(
    {
      name: fc.oneof({ weight: 9, arbitrary: name }, scalar),
      steps: fc.array(fc.oneof({ weight: 9, arbitrary: fc.integer() }, scalar), { minLength: 1, maxLength: 2 }),
      values: fc.oneof({ weight: 9, arbitrary: fc.array(tie('json'), { minLength: 1, maxLength: 2 }) }, scalar),
      from: fc.array(fc.oneof({ weight: 9, arbitrary: fc.integer() }, scalar, fc.constant(false)), {
        minLength: 1,
        maxLength: 2,
      }),
      value: fc.oneof({ weight: 9, arbitrary: scalar }, tie('json')),
      rows: fc.array(fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 2 }) }, scalar), { maxLength: 2 }),
    },
    { requiredKeys: ['name', 'values'] },
  ),
}));

/** Snapshots as columns, which Agents send. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: fc.record({ json: json.map((value) => JSON.parse(JSON.stringify(value)) as Input['json']) }),
  run({ json: input }) {
    let read: unknown;
    try {
      read = fromColumns(structuredClone(input));
    } catch (error) {
      // An error of the engine, such as that of a full stack, is none of ours.
      if (error instanceof Error && error.constructor === Error) return [error.message.replace(/"[^"]*"/g, 'one')];
      throw error;
    }
    const changed = [Object.prototype, Array.prototype].flatMap((prototype) => Object.keys(prototype));
    must(changed.length === 0, 'no input changes what objects are');
    mustEqual(
      fromColumns(JSON.parse(JSON.stringify(toColumns(read)))),
      read,
      'what was read is written and read alike',
    );
    return ['read', typeof read];
  },
};

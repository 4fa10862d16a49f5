import fc from 'fast-check';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { expandUrlEntry } from '#core/evaluation/pages/url-entry.ts';
import { UrlListSchema } from '#core/evaluation/pages/url-list.ts';
import { expandUrlPattern, type PatternMatch } from '#core/evaluation/pages/url-pattern.ts';
import { variablesIn } from '#core/evaluation/pages/variables.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must, wordIssues } from '../support/promises.ts';

const InputSchema = z.strictObject({
  pieces: z.array(z.string().max(500)).max(40),
  label: z.string().max(200),
  variables: z.record(z.string(), z.union([z.number(), z.string().max(50)])),
});
type Input = z.infer<typeof InputSchema>;

const mostUrls = 2000;
const number = fc.oneof(
  fc.integer({ min: -20, max: 3000 }).map(String),
  fc.constantFrom('0', '00', '01', '-01', '-0', '9'.repeat(20), '9'.repeat(80)),
);
const range = fc
  .tuple(number, number, fc.option(number))
  .map(([from, to, step]) => `{${from}..${to}${step === null ? '' : `..${step}`}}`);
const list = fc
  .array(fc.constantFrom('', 'a', 'b', '1', '-', ' ', 'é'), { minLength: 1, maxLength: 6 })
  .map((words) => `{${words.join(',')}}`);
const plain = fc.oneof(fc.constantFrom('/', '?q=', '{', '}', '{}', '..', ',', '{1}', '#'), fc.string({ maxLength: 5 }));

/** Patterns of URLs, with what takes its value from them. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: fc.record({
    pieces: fc.array(fc.oneof(range, list, plain), { maxLength: 6 }).map((pieces) => ['http://a.example/', ...pieces]),
    label: fc.constantFrom('', '{1}', '{1} of {2}', '{9}'),
    variables: fc.dictionary(
      fc.constantFrom('images', '__proto__', 'constructor', 'a b', 'x'),
      fc.oneof(fc.integer(), fc.constantFrom('{1}', '{2}', '{0}', '1')),
    ),
  }),
  run({ pieces, label, variables }) {
    const pattern = pieces.join('');
    const entry = { url: pattern, label, variables };
    const words = checkPattern(pattern);
    const parsed = UrlListSchema.safeParse([entry]);
    if (!parsed.success) return [...words, ...wordIssues(parsed.error)];
    for (const each of expandUrlEntry(parsed.data[0]!)) {
      // What has a variable of the Scenarios is checked with its values: the fuzzing of Evaluations has these.
      must(
        variablesIn(each.url).length > 0 || URL.canParse(each.url),
        'each URL of a list that is taken is one, or has a variable',
      );
      must(Object.values(each.variables).every(Number.isFinite), 'each variable is a number');
    }
    return [...words, 'taken'];
  },
};

function checkPattern(pattern: string): string[] {
  let matches: PatternMatch[];
  try {
    matches = expandUrlPattern(pattern);
  } catch (error) {
    // An error of the engine, such as that of a full stack, is none of ours.
    if (error instanceof AppError || (error instanceof Error && error.constructor === Error)) return ['refused'];
    throw error;
  }
  must(matches.length >= 1 && matches.length <= mostUrls, `a pattern stands for 1 to ${mostUrls} URLs`);
  must(
    matches.every(({ values }) => values.length === matches[0]!.values.length),
    'each URL has a value of each brace',
  );
  return [`${matches[0]!.values.length} braces`, `${Math.ceil(Math.log2(matches.length + 1))} bits of URLs`];
}

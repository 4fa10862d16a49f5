import fc from 'fast-check';
import { stringify } from 'yaml';
import { z } from 'zod';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { expandEvaluation, urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import { formatPath } from '#core/input/describe-issues.ts';
import { parseYaml } from '#core/input/parse-yaml.ts';
import { findUnstorable } from '#core/input/yaml-text.ts';
import { writeEvaluation } from '#web-ui/src/pages/evaluation/editor/write-evaluation.ts';
import { editText, textEdits, TextEditSchema } from '../support/edits.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must, mustEqual } from '../support/promises.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';

const InputSchema = z.strictObject({
  document: z.json(),
  /** How it is written: as JSON, which is YAML too, or in one of the many ways of YAML. */
  style: z.strictObject({
    isJson: z.boolean(),
    indent: z.int().min(1).max(8),
    lineWidth: z.int().min(0).max(120),
    isQuoted: z.boolean(),
    isFlow: z.boolean(),
  }),
  edits: z.array(TextEditSchema).max(8),
});
type Input = z.infer<typeof InputSchema>;

/** One that is right, as a place to begin at. */
const simple = {
  name: 'a',
  urlLists: { pages: ['http://a.example/{1..2}'] },
  userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
  scenarios: [{ name: 'direct', baseline: true }],
};
const parts = arbitraryOf(EvaluationSchema) as fc.Arbitrary<Record<string, unknown>>;
const documents = fc.oneof(
  parts,
  fc.tuple(parts, fc.subarray(Object.keys(EvaluationSchema.out.shape))).map(([made, keys]) => ({
    ...simple,
    ...Object.fromEntries(keys.filter((key) => made[key] !== undefined).map((key) => [key, made[key]])),
  })),
);

/** Evaluations as people write and edit them. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: fc.record({
    document: documents,
    style: fc.record({
      isJson: fc.boolean(),
      indent: fc.integer({ min: 1, max: 8 }),
      lineWidth: fc.nat(120),
      isQuoted: fc.boolean(),
      isFlow: fc.boolean(),
    }),
    edits: textEdits,
  }) as fc.Arbitrary<Input>,
  run({ document, style, edits }) {
    const text = editText(write(document, style), edits);
    const parsed = parseYaml(text, EvaluationSchema);
    if (parsed.kind === 'valid') return use(parsed.value);
    const lineCount = text.split('\n').length;
    must(parsed.issues.length > 0, 'a refusal has a reason');
    for (const { path, message, line } of parsed.issues) {
      must(message !== '' && !message.startsWith('Invalid input'), `a reason is in our own words: ${message}`);
      must(line === null || (line >= 1 && line <= lineCount), 'the line of a reason is one of the text');
      formatPath(path);
    }
    return parsed.issues.map(
      ({ path, message }) =>
        `${parsed.kind} ${path
          .map((step) => (typeof step === 'number' ? '#' : String(step)))
          .slice(0, 5)
          .join('.')
          .slice(0, 50)} ${message.replace(/".*"/g, '').slice(0, 30)}`,
    );
  },
};

function write(document: unknown, { isJson, indent, lineWidth, isQuoted, isFlow }: Input['style']): string {
  if (isJson) return JSON.stringify(document);
  return stringify(document, {
    indent,
    lineWidth,
    defaultStringType: isQuoted ? 'QUOTE_DOUBLE' : 'PLAIN',
    collectionStyle: isFlow ? 'flow' : 'any',
  });
}

function use(evaluation: Evaluation): string[] {
  must(findUnstorable(evaluation).length === 0, 'an Evaluation that is taken can be stored');
  mustEqual(
    EvaluationSchema.parse(JSON.parse(JSON.stringify(evaluation))),
    evaluation,
    'an Evaluation that was stored is read as the same',
  );
  for (const text of [stringify(evaluation), writeEvaluation(evaluation)]) {
    const again = parseYaml(text, EvaluationSchema);
    must(again.kind === 'valid', `an Evaluation that is written as YAML is taken: ${JSON.stringify(again)}\n${text}`);
    mustEqual(again.value, evaluation, 'an Evaluation that is written as YAML is read as the same');
  }
  const rounds = expandEvaluation(evaluation, 1);
  must(rounds.length > 0, 'there is a Round');
  for (const { urlList } of evaluation.userAgents)
    must(urlsOf(evaluation, urlList).length > 0, 'a User Agent has a URL');
  return [
    `valid ${evaluation.scenarios
      .map(
        ({ network, browser }) =>
          `${Object.keys(network ?? {})
            .sort()
            .join()} ${Object.keys(browser).sort().join()}`,
      )[0]!
      .slice(0, 80)}`,
  ];
}

import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { z } from 'zod';
import { gatherRecord } from '#cli/report/gather-record.ts';
import { readBundle } from '#cli/report/read-bundle.ts';
import { writeBundle } from '#controller/http/list-routes.ts';
import { AppError } from '#core/app-error.ts';
import { BundleLineSchema, type BundleLine } from '#core/record/bundle-line.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { editBytes, editText, byteEdits, ByteEditSchema, textEdits, TextEditSchema } from '../support/edits.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must, mustEqual } from '../support/promises.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';

const InputSchema = z.strictObject({
  lines: z.array(z.json()).max(200),
  /** Changes of its text, which its last line takes no notice of where `isSealed`. */
  edits: z.array(TextEditSchema).max(4),
  isSealed: z.boolean(),
  /** Changes of the compressed file. */
  fileEdits: z.array(ByteEditSchema).max(4),
});
type Input = z.infer<typeof InputSchema>;

const folder = mkdtempSync(path.join(tmpdir(), 'http-ae-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const evaluation = {
  name: 'a',
  urlLists: { pages: ['http://a.example/{1..2}'] },
  userAgents: ['alice', 'bob'].map((name) => ({ name, host: 'laptop', urlList: 'pages' })),
  scenarios: [{ name: 'direct', baseline: true }, { name: 'proxy' }],
};
/** So few that lines find each other. */
const ids = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
  '00000000-0000-4000-8000-000000000003',
  '00000000-0000-4000-8000-000000000004',
];
const fields: Record<string, readonly unknown[]> = {
  id: ids,
  passId: ids,
  roundId: ids,
  visitId: ids,
  of: ids,
  scenario: ['direct', 'proxy'],
  userAgent: ['alice', 'bob'],
  url: ['http://a.example/1', 'http://a.example/2'],
  block: [0, 1, 2, 3],
  repetition: [0, 1],
  warmUp: [false, false, true],
  state: ['completed', 'completed', 'broken'],
  status: ['ok', 'ok', 'failed'],
};

function relate(line: unknown, choice: number): unknown {
  if (typeof line !== 'object' || line === null) return line;
  const related = Object.entries(line).map(([key, value]: [string, unknown]) => [
    key,
    Object.hasOwn(fields, key) && (line as { kind?: string }).kind !== 'run'
      ? fields[key]![(choice >> (key.length % 5)) % fields[key]!.length]
      : value,
  ]);
  return Object.fromEntries(related) as unknown;
}

const anyLine = fc.tuple(arbitraryOf(BundleLineSchema), fc.nat(255)).map(([line, choice]) => relate(line, choice));
const run = {
  kind: 'run',
  id: '1',
  state: 'completed',
  seed: 1,
  createdAt: '2026-01-01T00:00:00Z',
  evaluation,
  ending: null,
};
/** Rounds that were measured as they should be. */
const measured = fc
  .array(fc.array(fc.double({ min: 0, max: 5000, noNaN: true }), { minLength: 8, maxLength: 8 }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((blocks) =>
    blocks.flatMap((latencies, block) =>
      ['direct', 'proxy'].flatMap((scenario, index) => {
        const roundId = `00000000-0000-4000-8000-0000000${block}${index}000`;
        const round = {
          kind: 'round',
          id: roundId,
          index: 2 * block + index,
          block: block + 1,
          scenario,
          warmUp: false,
          attempt: 1,
          state: 'completed',
          startSkewMs: latencies[0],
        };
        const passes = ['alice', 'bob'].flatMap((userAgent, user) => {
          const id = `00000000-0000-4000-8000-0000000${block}${index}${user}10`;
          const visits = [1, 2].map((page) => {
            const totalMs = latencies[4 * index + 2 * user + page - 1]!;
            return {
              kind: 'visit',
              id: `00000000-0000-4000-8000-0000000${block}${index}${user}${page}1`,
              passId: id,
              sequence: page,
              url: `http://a.example/${page}`,
              repetition: 1,
              startedEpochMs: 1.7e12,
              status: 'ok',
              code: null,
              isSettled: true,
              isHidden: false,
              metricsVersion: 1,
              readings: { baseMs: totalMs / 2, viewportMs: totalMs, totalMs },
              absences: {},
            };
          });
          return [{ kind: 'pass', id, roundId, userAgent, agent: 'laptop' }, ...visits];
        });
        return [round, ...passes];
      }),
    ),
  );

/** Bundles as "export RUN --format bundle" writes them, and as they are after their way. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: fc.record({
    lines: fc
      .tuple(fc.oneof(measured, fc.constant([])), fc.array(anyLine, { maxLength: 6 }))
      .map(([rounds, others]) => [run, ...rounds, ...others]),
    edits: textEdits,
    isSealed: fc.boolean(),
    fileEdits: byteEdits,
  }) as fc.Arbitrary<Input>,
  async run({ lines, edits, isSealed, fileEdits }) {
    const file = path.join(folder, 'bundle.jsonl.gz');
    await writeFile(file, editBytes(gzipSync(await writeText(lines, { edits, isSealed }), { level: 1 }), fileEdits));
    try {
      const read: BundleLine[] = [];
      for await (const line of readBundle(file)) read.push(line);
      if (edits.length === 0 && fileEdits.length === 0)
        mustEqual(
          read.slice(1),
          lines.map((line) => BundleLineSchema.parse(line)),
          'a bundle is read as it was written',
        );
      const record = await gatherRecord(listLines(read), file);
      must(record.visits.length <= read.length, 'no Visit is counted twice');
      const comparison = computeComparison(record);
      ComparisonSchema.parse(JSON.parse(JSON.stringify(comparison)));
      return [
        `${comparison.roundsCounted} Rounds`,
        ...comparison.remarks.map(({ text }) => text.replaceAll(/\d+/g, '').slice(0, 60)),
      ];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'damaged-bundle') throw error;
      return [
        error.message
          .replace(file, '')
          .replaceAll(/[\d"]+|→ at .*/g, '')
          .slice(0, 120),
      ];
    }
  },
};

async function writeText(lines: unknown[], { edits, isSealed }: Pick<Input, 'edits' | 'isSealed'>): Promise<string> {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const texts = (isSealed ? editText(body, edits) : body).split('\n');
  let text = '';
  for await (const part of writeBundle(listLines(texts), { httpAeVersion: '0' })) text += part;
  return isSealed ? text : editText(text, edits);
}

async function* listLines<Line>(lines: Iterable<Line>): AsyncGenerator<Line> {
  yield* await Promise.resolve(lines);
}

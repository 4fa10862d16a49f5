import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createEvaluationJsonSchema } from '#core/evaluation/evaluation-json-schema.ts';
import { formatEvaluationReference } from './support/format-evaluation-reference.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const toWrite = 'write it with "node tests/unit/docs/write-reference.ts"';

test('docs/evaluation-reference.md is what the schema of an Evaluation says', () => {
  const schema = createEvaluationJsonSchema();
  expect(read('docs/evaluation-reference.md'), toWrite).toBe(formatEvaluationReference(schema));
});

test('every setting has a meaning', () => {
  const rows = read('docs/evaluation-reference.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter((row) => row.endsWith('|  |'))).toEqual([]);
});

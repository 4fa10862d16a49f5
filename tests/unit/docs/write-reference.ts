/** Writes what is generated from the settings and the metrics: `node tests/unit/docs/write-reference.ts`, after a change of either. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvaluationJsonSchema } from '#core/evaluation/evaluation-json-schema.ts';
import { formatEvaluationReference } from './support/format-evaluation-reference.ts';
import { formatMetricRows } from './support/format-metric-rows.ts';

const docs = path.resolve(import.meta.dirname, '../../../docs');
const schema = createEvaluationJsonSchema();
await writeFile(path.join(docs, 'evaluation-reference.md'), formatEvaluationReference(schema));
const dictionary = path.join(docs, 'data-dictionary.md');
await writeFile(dictionary, formatMetricRows(await readFile(dictionary, 'utf8')));

/** Writes what is generated from the schema of an Evaluation: `node tests/unit/docs/write-reference.ts`, after a change of a setting. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvaluationJsonSchema } from '#core/evaluation/evaluation-json-schema.ts';
import { formatEvaluationReference } from './support/format-evaluation-reference.ts';

const docs = path.resolve(import.meta.dirname, '../../../docs');
const schema = createEvaluationJsonSchema();
await writeFile(path.join(docs, 'evaluation.schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
await writeFile(path.join(docs, 'evaluation-reference.md'), formatEvaluationReference(schema));

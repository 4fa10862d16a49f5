import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { describeSchema } from './support/describe-schema.ts';

test('docs/schema.sql is the schema that the migrations make', async () => {
  await using database = await createTestDatabase();
  const stated = readFileSync(path.resolve(import.meta.dirname, '../../docs/schema.sql'), 'utf8');
  expect(stated, 'write it with "node tests/db/write-schema.ts"').toBe(await describeSchema(database.pool));
});

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { errorStatus } from '#core/app-error.ts';

test('docs/errors.md lists every error code with its HTTP status, cause and fix', async () => {
  const text = await readFile(path.join(import.meta.dirname, '..', '..', '..', 'docs', 'errors.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (\d{3}) \| (\S.+) \| (\S.+) \|$/gm)];
  const listed = rows.map(([, code, status]) => [code, Number(status)]);
  expect(Object.fromEntries(listed)).toEqual(errorStatus);
  expect(listed).toHaveLength(Object.keys(errorStatus).length);
});

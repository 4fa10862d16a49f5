import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allListeners } from '#testbed/origin/listeners.ts';

test('docs/testbed.md lists every port of the origin, and what it serves', async () => {
  const text = await readFile(path.resolve(import.meta.dirname, '../../../docs/testbed.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (8\d{3}) \| `([^`]+)` \| (.+) \|$/gm)].map((match) => match.slice(1));
  const expected = Object.entries(allListeners)
    .map(([name, { fixedPort, purpose }]) => [String(fixedPort), name, purpose])
    .toSorted(([a], [b]) => Number(a) - Number(b));
  expect(rows).toEqual(expected);
});

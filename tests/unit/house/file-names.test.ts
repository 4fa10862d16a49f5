import path from 'node:path';
import { expect, test } from 'vitest';
import { folders, listFiles } from './support/read-imports.ts';

/** Each program has its entry, and each part that is built its settings. */
const ofEveryPart = ['main', 'vite.config'];

test('a file name is there once in the tree', () => {
  const files = folders.filter((folder) => !['tests', 'bench', 'docs'].includes(folder)).flatMap(listFiles);
  const named = Map.groupBy(files, (file) => path.basename(file).replace(/\.tsx?$/, ''));
  expect(files.length).toBeGreaterThan(1000);
  expect([...named].filter(([name, own]) => own.length > 1 && !ofEveryPart.includes(name))).toEqual([]);
});

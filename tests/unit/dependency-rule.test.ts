import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Who may import whom (docs/decisions/0001-who-imports-whom.md). `pep` stands alone; `cli`, `bench` and `tests` may import everything. */
const allowed: Record<string, string[]> = {
  core: [],
  probe: ['core'],
  extension: ['core', 'probe'],
  agent: ['core', 'probe'],
  controller: ['core'],
  'web-ui': ['core'],
  testbed: ['core'],
  pep: [],
};
const packagesOfCore = ['zod', 'simple-statistics', 'pure-rand', 'yaml'];

interface Import {
  file: string;
  specifier: string;
  isTypeOnly: boolean;
}

/** Every static and dynamic import and re-export of the TypeScript files in a folder. */
function readImports(folder: string): Import[] {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: (name) => name === 'dist' || name === 'node_modules' });
  return files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    const found = source.matchAll(/^\s*(?:import|export)\s(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm);
    return [...found].map(([, typeOnly, from, bare, dynamic]) => ({ file, specifier: from ?? bare ?? dynamic!, isTypeOnly: typeOnly !== undefined }));
  });
}

/** The folder of the project that an import leads to; null for a package. */
function targetOf({ file, specifier }: Import): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1).split('/')[0]!;
  if (specifier.startsWith('.')) return path.join(path.dirname(file), specifier).split(path.sep)[0]!;
  return null;
}

test.for(Object.entries(allowed))('%s imports only what it may', ([folder, others]) => {
  const forbidden = readImports(folder).filter((each) => {
    const target = targetOf(each);
    return target !== null && target !== folder && target !== 'package.json' && !others.includes(target);
  });
  expect(forbidden.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('core imports no package but zod, statistics and a random generator, and nothing of Node’s', () => {
  const packages = readImports('core').filter((each) => targetOf(each) === null);
  const isAllowed = (specifier: string) => packagesOfCore.some((name) => specifier === name || specifier.startsWith(`${name}/`)) || specifier.startsWith('@stdlib/');
  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter(({ specifier }) => !isAllowed(specifier))).toEqual([]);
});

test('the probe imports types only, besides its own files', () => {
  const foreign = readImports('probe').filter((each) => targetOf(each) !== 'probe' && each.file !== path.join('probe', 'vite.config.ts'));
  expect(foreign.filter(({ isTypeOnly }) => !isTypeOnly)).toEqual([]);
});

test('the reader of imports sees every form', () => {
  expect(readImports('cli').map(({ specifier }) => specifier)).toEqual(
    expect.arrayContaining(['commander', './create-program.ts', '#core/app-error.ts', '../demo/run-demo.ts']),
  );
});

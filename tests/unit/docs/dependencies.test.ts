import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { formatDependencies, listDependencies, listIndirect } from './support/format-dependencies.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');

/** Licences under which everybody may use, change and pass on a program. */
const free =
  /^(?:0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|BSL-1\.0|CC0-1\.0|ISC|LGPL-3\.0-or-later|MIT|MPL-2\.0|Zlib)$/;

/** An SPDX expression of one kind of operator. Any other has no free licence by this, and a person looks at it. */
const isFree = (expression: string): boolean => {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  return bare.includes(' OR ')
    ? bare.split(' OR ').some((each) => free.test(each))
    : bare.split(' AND ').every((each) => free.test(each));
};

test('docs/security.md has every dependency as the lock has it', () => {
  expect(text, 'write it with "node tests/unit/docs/write-dependencies.ts"').toBe(formatDependencies(text));
});

test('every dependency, and what comes with it, has a licence that all may use it by', () => {
  const all = [...listDependencies(), ...listIndirect()];
  expect(all.length).toBeGreaterThan(100);
  const odd = all.filter(({ licence }) => !isFree(licence));
  expect(odd.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
});

test('only packages that are known for it have install scripts', () => {
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.boolean()) })
    .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  const scripted = [...listDependencies(), ...listIndirect()].filter(({ hasInstallScript }) => hasInstallScript);
  expect(scripted.map(({ name }) => name).sort()).toEqual(Object.keys(allowScripts).sort());
});

test('what is installed is what the lock names', () => {
  const InstalledSchema = z.object({ version: z.string(), license: z.string().optional() });
  for (const { name, version, licence } of listDependencies()) {
    const file = path.join(root, 'node_modules', name, 'package.json');
    // Those of other platforms are not installed.
    if (!existsSync(file)) continue;
    const installed = InstalledSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(installed, name).toEqual({ version, license: licence });
  }
});

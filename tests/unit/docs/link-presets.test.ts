import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { linkPresetNames } from '#core/evaluation/network/link-profile-presets.ts';

test('docs/testbed.md lists every preset of a link, in their order', async () => {
  const text = await readFile(path.resolve(import.meta.dirname, '../../../docs/testbed.md'), 'utf8');
  const table = text.slice(text.indexOf('| preset |')).split('\n\n')[0]!;
  const names = table
    .split('\n')
    .flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(names).toEqual(linkPresetNames);
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readClasses } from '#httpep/command/run-pep.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('a class without users has all that no other class names', async () => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'classes.yaml');
  await writeFile(file, 'gold: { weight: 50, users: [198.19.1.1, ann] }\nbronze: { weight: 20 }\n');
  const { weights, classOf } = await readClasses(file);
  expect(weights).toEqual({ gold: 50, bronze: 20 });
  expect(['198.19.1.1', 'ann', '198.19.1.2'].map((user) => classOf(user))).toEqual(['gold', 'gold', 'bronze']);
});

test('a user with an IPv6 address is known in any form of it', async () => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'classes.yaml');
  await writeFile(file, 'gold: { weight: 50, users: ["2001:DB8:0::10"] }\n');
  const { classOf } = await readClasses(file);
  expect(classOf('2001:db8::10')).toBe('gold');
});

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PackageFiles } from '#cli/site/corpus/serve-package.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const long = 'a '.repeat(500);

test('files of a package are sent as a server does: texts in gzip where that is smaller, and images as they are', async () => {
  await using folder = await makeTemporaryFolder();
  const names = ['page.html', 'style.css', 'code.js', 'data.json', 'sign.svg', 'photo.png', 'font.woff2', 'other.xyz'];
  for (const name of names) await writeFile(path.join(folder.path, name), long);
  await writeFile(path.join(folder.path, 'tiny.css'), 'a');
  const files = new PackageFiles(folder.path);
  const answers = await Promise.all([...names, 'tiny.css'].map((name) => files.answer(`/${name}`)));
  expect(answers.map(({ status, type, packed }) => [status, type.split(';')[0], packed !== null])).toEqual([
    [200, 'text/html', true],
    [200, 'text/css', true],
    [200, 'text/javascript', true],
    [200, 'application/json', true],
    [200, 'image/svg+xml', true],
    [200, 'image/png', false],
    [200, 'font/woff2', false],
    [200, 'application/octet-stream', false],
    [200, 'text/css', false],
  ]);
  expect(gunzipSync(answers[0]!.packed!).toString()).toBe(long);
});

test('a folder has its index, pages and styles are changed alone, and nothing outside of the package is sent', async () => {
  await using folder = await makeTemporaryFolder();
  const root = path.join(folder.path, 'package');
  await mkdir(path.join(root, 'a b'), { recursive: true });
  await writeFile(path.join(folder.path, 'secret.html'), 'secret');
  await symlink(path.join(folder.path, 'secret.html'), path.join(root, 'link.html'));
  for (const name of ['a b/index.html', 'code.js']) await writeFile(path.join(root, name), 'old');
  const files = new PackageFiles(root);
  const ask = async (pathname: string) => {
    const { status, file } = await files.answer(pathname, (text, name) => `${text} ${name}`);
    return `${status} ${file.toString().trim()}`;
  };
  expect(await ask('/a%20b/')).toBe('200 old /a b/index.html');
  expect(await ask('/code.js')).toBe('200 old');
  for (const pathname of ['/../secret.html', '/%2e%2e/secret.html', '/link.html', '/none.html', '/%zz'])
    expect(await ask(pathname)).toBe('404 There is no such file.');
  expect([files.has('/code.js'), files.has('/none.js')]).toEqual([true, false]);
});

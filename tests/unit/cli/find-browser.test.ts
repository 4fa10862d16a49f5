import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { markOfHost } from '#agent/own-folder.ts';
import { chooseFirefox } from '#cli/agent/start-agent.ts';
import { firefoxKind } from '#cli/browser-kinds.ts';
import { findBrowser, findPresentBrowser, watchForBrowser } from '#cli/find-browser.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

async function writeProgram(file: string, script: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const searchIn = (folder: string, environment: NodeJS.ProcessEnv) => {
  const said: string[] = [];
  return {
    said,
    search: {
      environment,
      platform: 'linux',
      homeFolder: folder,
      say: (line: string) => void said.push(line),
      signal: AbortSignal.timeout(9_000),
    } as const,
  };
};

test('the browser that HTTP_AE_CHROME names is taken before the installed one', async () => {
  await using folder = await makeTemporaryFolder();
  const named = await writeProgram(path.join(folder.path, 'own browser'), 'echo Chromium 156.0');
  await writeProgram(path.join(folder.path, 'bin', 'chromium'), 'echo Chromium 1.0');
  const { search } = searchIn(folder.path, { HTTP_AE_CHROME: named, PATH: path.join(folder.path, 'bin') });
  expect(await findBrowser(search)).toBe(named);
});

test('an HTTP_AE_CHROME that is wrong is an error that names it, not a reason to take another', async () => {
  await using folder = await makeTemporaryFolder();
  await writeProgram(path.join(folder.path, 'bin', 'chromium'), 'echo Chromium 156.0');
  const broken = await writeProgram(
    path.join(folder.path, 'broken'),
    'echo "libnss3.so: cannot open shared object file" >&2; exit 127',
  );
  const { search } = searchIn(folder.path, { HTTP_AE_CHROME: broken, PATH: path.join(folder.path, 'bin') });
  await expect(findBrowser(search)).rejects.toMatchObject({
    code: 'browser-missing',
    message: expect.stringContaining(`${broken}, which does not start (--version: libnss3.so`) as string,
  });
});

test('an installed browser that does not start is reported, and the next one is taken', async () => {
  await using folder = await makeTemporaryFolder();
  const stub = await writeProgram(
    path.join(folder.path, 'chromium'),
    'echo "requires the chromium snap to be installed"; exit 1',
  );
  const other = await writeProgram(path.join(folder.path, 'google-chrome'), 'echo Google Chrome 156.0');
  const { search, said } = searchIn(folder.path, { PATH: folder.path });
  expect(await findBrowser(search)).toBe(other);
  expect(said).toEqual([`${stub} does not start: --version: requires the chromium snap to be installed`]);
});

test('each browser is looked for by its own names: Chromium is no Firefox', async () => {
  await using folder = await makeTemporaryFolder();
  await writeProgram(path.join(folder.path, 'chromium'), 'echo Chromium 156.0');
  const notFirefox = await writeProgram(path.join(folder.path, 'firefox-esr'), 'echo Chromium 156.0');
  const firefox = await writeProgram(path.join(folder.path, 'firefox'), 'echo Mozilla Firefox 153.7.0');
  const { search, said } = searchIn(folder.path, { PATH: folder.path });
  expect(await findPresentBrowser(search, firefoxKind)).toBe(firefox);
  expect(said).toEqual([`${notFirefox} does not start: --version: Chromium 156.0`]);
});

test('an Agent runs a Firefox that is installed, brings none unasked, and needs the one that it was given', async () => {
  await using folder = await makeTemporaryFolder();
  await using empty = await makeTemporaryFolder();
  const firefox = await writeProgram(path.join(folder.path, 'firefox'), 'echo Mozilla Firefox 153.7.0');
  const { search } = searchIn(folder.path, { PATH: folder.path });
  const { search: emptySearch } = searchIn(empty.path, { PATH: empty.path });
  expect(await chooseFirefox(undefined, search)).toEqual({ path: firefox, isRequired: false });
  expect(await chooseFirefox(false, search)).toBeNull();
  expect(await chooseFirefox(undefined, emptySearch)).toBeNull();
  expect(await chooseFirefox(firefox, emptySearch)).toEqual({ path: firefox, isRequired: true });
  await expect(chooseFirefox(path.join(empty.path, 'none'), search)).rejects.toMatchObject({
    code: 'browser-missing',
    message: expect.stringContaining('HTTP_AE_FIREFOX (or --firefox)') as string,
  });
});

test('a browser that is installed later is found, and one that does not start is tried once for each version of its file', async () => {
  await using folder = await makeTemporaryFolder();
  const { search, said } = searchIn(folder.path, { PATH: folder.path });
  const look = watchForBrowser(search, firefoxKind);
  expect(await look()).toBeNull();
  const file = path.join(folder.path, 'firefox');
  await writeProgram(file, 'exit 1');
  expect([await look(), await look()]).toEqual([null, null]);
  expect(said).toHaveLength(1);
  await writeProgram(file, 'echo Mozilla Firefox 157.0');
  // As a package manager that installs it a second later.
  await utimes(file, new Date(), new Date(Date.now() + 1000));
  expect(await look()).toBe(file);
});

test('a download that is stopped leaves nothing, and removes what one that was killed has left', async () => {
  await using folder = await makeTemporaryFolder();
  const { search } = searchIn(folder.path, { PATH: '' });
  // No process has a greater id on Linux.
  await mkdir(path.join(folder.path, `http-ae-browser-${markOfHost}-4194305-abandoned`));
  const stopping = new AbortController();
  const say = (line: string) => {
    if (line.startsWith('Fetching ')) stopping.abort(new Error('Ctrl-C'));
  };
  await expect(findBrowser({ ...search, say, signal: stopping.signal })).rejects.toThrow('Ctrl-C');
  expect(await readdir(folder.path)).toEqual([]);
});

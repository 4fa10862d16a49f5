import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findController, localAccessFile } from '#cli/controller/controller-access.ts';
import { findOccupant, claimFolder } from '#cli/demo/open-demo-database.ts';
import { announceOwnController } from '#tests/support/announce-own-controller.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const first = { url: 'http://127.0.0.1:8420', token: 'hae_first' };
const second = { url: 'http://127.0.0.1:8421', token: 'hae_second' };

const announce = (homeFolder: string, access: typeof first) =>
  announceOwnController(homeFolder, { ...access, ownerToken: 'hae_owner_secret' });

test('the token of the Controller on this machine is for its user only', async () => {
  await using folder = await makeTemporaryFolder();
  await using announced = new AsyncDisposableStack();
  announced.use(await announce(folder.path, first));
  expect((await stat(localAccessFile(folder.path))).mode & 0o777).toBe(0o600);
  expect(await findController({}, folder.path)).toEqual(first);
});

test('of two Controllers the later is found, and the earlier again when that one stops', async () => {
  await using folder = await makeTemporaryFolder();
  const one = await announce(folder.path, first);
  const two = await announce(folder.path, second);
  expect(await findController({}, folder.path)).toEqual(second);
  await two[Symbol.asyncDispose]();
  expect(await findController({}, folder.path)).toEqual(first);
  await one[Symbol.asyncDispose]();
  await expect(readFile(localAccessFile(folder.path))).rejects.toThrow('ENOENT');
});

test('a Controller that stops first leaves the later one announced', async () => {
  await using folder = await makeTemporaryFolder();
  const one = await announce(folder.path, first);
  await using later = new AsyncDisposableStack();
  later.use(await announce(folder.path, second));
  await one[Symbol.asyncDispose]();
  expect(await findController({}, folder.path)).toEqual(second);
});

test('a second demo takes a folder of its own, and a killed one leaves its folder free', async () => {
  await using folder = await makeTemporaryFolder();
  const source = path.resolve(import.meta.dirname, '../../../cli/demo/open-demo-database.ts');
  const script = `import { claimFolder } from ${JSON.stringify(source)}; globalThis.claim = claimFolder(${JSON.stringify(folder.path)}); console.log(globalThis.claim.path); setInterval(() => {}, 1000)`;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(other.stdout.setEncoding('utf8'), 'data')) as [string];
  expect(line.trim()).toBe(path.join(folder.path, 'demo'));
  {
    using claimed = claimFolder(folder.path);
    expect(claimed.path).toBe(path.join(folder.path, 'demo-2'));
    expect(await findOccupant({ homeFolder: folder.path, claimed })).toBe('Another demo runs');
  }
  other.kill('SIGKILL');
  await once(other, 'exit');
  using claimed = claimFolder(folder.path);
  expect(claimed.path).toBe(path.join(folder.path, 'demo'));
});

test('a demo keeps its Run in the database of the home folder, unless a Controller works there', async () => {
  await using folder = await makeTemporaryFolder();
  using claimed = claimFolder(folder.path);
  const find = () => findOccupant({ homeFolder: folder.path, claimed });
  expect(await find()).toBeNull();
  {
    await using _running = await announceOwnController(folder.path, { url: 'http://127.0.0.1:8420', ownerToken: 'x' });
    expect(await find()).toBe('HTTP-AE runs at http://127.0.0.1:8420');
  }
  expect(await find()).toBeNull();
});

test('a home folder that is none is named, with what to do', async () => {
  const { exitCode, stdout, stderr } = await runCli(['up'], { HTTP_AE_HOME: '/dev/null' });
  expect(stderr).toMatch(
    /^ENOTDIR: not a directory, \w+ '\/dev\/null\/[^']*': make it writable for you, or set HTTP_AE_HOME to a folder that is\n$/,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
});

test('a home folder that cannot be made is an error, and the command ends', async () => {
  const { exitCode, stdout, stderr } = await runCli(['link'], { HTTP_AE_HOME: '/proc/nowhere/http-ae' });
  expect(stderr).toBe(
    "ENOENT: no such file or directory, mkdir '/proc/nowhere': make it writable for you, or set HTTP_AE_HOME to a folder that is\n",
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
});

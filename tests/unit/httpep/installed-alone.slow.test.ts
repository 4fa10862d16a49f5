import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CliProcess } from '#tests/support/cli-process.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { ask } from './support/ask.ts';
import { startOddOrigin } from './support/odd-origin.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

test('HTTPEP is packed and installed without the rest, and is a proxy then', { timeout: 120_000 }, async () => {
  await using folder = await makeTemporaryFolder();
  await using origin = await startOddOrigin();
  const key = path.join(folder.path, 'key');
  await writeFile(key, 'a key that both of the processes read\n', { mode: 0o600 });
  await run('npm', ['pack', '--workspace', 'httpep', '--pack-destination', folder.path], { cwd: root });
  const [packed] = (await readdir(folder.path)).filter((name) => name.endsWith('.tgz'));
  await writeFile(path.join(folder.path, 'package.json'), '{}');
  await run('npm', ['install', `./${packed!}`], { cwd: folder.path });

  const main = path.join(folder.path, 'node_modules/httpep/dist/main.js');
  const start = (...args: string[]) =>
    new CliProcess([...args, '--listen', '127.0.0.1:0', '--key', key, '--json'], {}, main);
  const portOf = async (end: CliProcess) => (JSON.parse(await end.firstLine()) as { port: number }).port;
  await using ground = start('ground', '--allow-private');
  await using remote = start('remote', '--ground', `127.0.0.1:${await portOf(ground)}`);
  const port = await portOf(remote);
  expect(await ask(`${origin.url}/big`, {}, port)).toEqual(await ask(`${origin.url}/big`));
});

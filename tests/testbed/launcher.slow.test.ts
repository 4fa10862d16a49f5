import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const launcher = path.resolve(import.meta.dirname, '../../http-ae');

// Needs the npm registry, as every first start on such a machine does.
test('where Node is too old, the pinned one is fetched from npm and runs the command', async () => {
  await using folder = await makeTemporaryFolder();
  const root = path.join(folder.path, 'project');
  const oldNode = path.join(folder.path, 'old', 'node');
  await mkdir(path.join(root, 'cli'), { recursive: true });
  await mkdir(path.join(root, 'node_modules'));
  await mkdir(path.dirname(oldNode));
  await copyFile(launcher, path.join(root, 'http-ae'));
  const lock = {
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'project', version: '1.0.0' } },
  };
  await writeFile(path.join(root, 'package.json'), JSON.stringify({ name: 'project', version: '1.0.0' }));
  await writeFile(path.join(root, 'package-lock.json'), JSON.stringify(lock));
  await writeFile(
    path.join(root, 'cli', 'main.ts'),
    'const version: string = process.version; console.log(version, process.execPath);\n',
  );

  // It is old for the launcher's question, and the real one for npm, which is a script of Node's.
  await writeFile(
    oldNode,
    `#!/bin/sh\ncase $1 in -e) exit 1 ;; --version) echo v12.22.9 ;; *) exec "${process.execPath}" "$@" ;; esac\n`,
  );
  await chmod(oldNode, 0o755);

  const home = path.join(folder.path, 'home');
  const child = spawn(path.join(root, 'http-ae'), ['x'], {
    env: { ...process.env, HTTP_AE_HOME: home, PATH: `${path.dirname(oldNode)}:${process.env.PATH ?? ''}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[exitCode], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(stderr).toContain('this machine has Node v12.22.9; HTTP-AE uses 24 or newer, of its own');
  expect(stdout).toMatch(/^v2[46]\.\d+\.\d+ /);
  expect(stdout).toContain(path.join(home, 'toolchain', 'node-'));
  expect(exitCode).toBe(0);
});

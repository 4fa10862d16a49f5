import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const launcher = path.resolve(import.meta.dirname, '../../../../http-ae');

/** A project with the real launcher, without dependencies, in a folder whose path has a space. Its command prints how it was called. */
export async function makeProject() {
  const folder = await makeTemporaryFolder();
  const root = path.join(folder.path, 'the project');
  for (const name of ['cli', 'core', 'probe']) await mkdir(path.join(root, name), { recursive: true });
  await copyFile(launcher, path.join(root, 'http-ae'));
  const scripts = { 'build:probe': 'mkdir -p probe/dist && echo built >>builds.log' };
  await writeFile(path.join(root, 'package.json'), JSON.stringify({ name: 'project', version: '1.0.0', scripts }));
  await writeFile(
    path.join(root, 'package-lock.json'),
    JSON.stringify({
      name: 'project',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'project', version: '1.0.0' } },
    }),
  );
  await mkdir(path.join(root, 'node_modules'));
  await writeFile(
    path.join(root, 'cli', 'main.ts'),
    'const seen: unknown = [process.pid, process.cwd(), process.argv.slice(2)]; console.log(JSON.stringify(seen));\n',
  );
  await writeFile(path.join(root, 'probe', 'probe.ts'), '1');

  const run = async (
    args: string[],
    {
      program = path.join(root, 'http-ae'),
      cwd = folder.path,
      searchPath = process.env.PATH,
      home = process.env.HOME,
    } = {},
  ) => {
    const environment = {
      ...process.env,
      NODE_COMPILE_CACHE: undefined,
      PATH: searchPath,
      HOME: home,
      HTTP_AE_HOME: path.join(folder.path, 'a home'),
    };
    const child = spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const [[exitCode], stdout, stderr] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { pid: child.pid, exitCode, stdout, stderr };
  };
  return {
    folder: folder.path,
    root,
    run,
    lock: path.join(root, '.http-ae-lock'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

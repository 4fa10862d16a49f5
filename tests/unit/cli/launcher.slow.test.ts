import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const launcher = path.resolve(import.meta.dirname, '../../../http-ae');

/** A project with the real launcher, without dependencies, in a folder whose path has a space. Its command prints how it was called. */
async function makeProject() {
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
    'const told: unknown = [process.pid, process.cwd(), process.argv.slice(2)]; console.log(JSON.stringify(told));\n',
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

/** The id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid!;
}

test('the first start installs, later ones go straight to the command, until the lock file changes', async () => {
  await using project = await makeProject();
  expect((await project.run(['x'])).stderr).toContain(
    'installing the dependencies (npm ci); this may take some minutes',
  );
  expect((await project.run(['x'])).stderr).toBe('');
  await appendFile(path.join(project.root, 'package-lock.json'), '\n');
  expect((await project.run(['x'])).stderr).toContain('installing the dependencies');
});

test('what Node compiled is kept with the dependencies', async () => {
  await using project = await makeProject();
  await project.run(['x']);
  const [version] = await readdir(path.join(project.root, 'node_modules', '.cache', 'compiled'));
  expect(version).toContain(process.version);
});

test('the command takes the launcher’s place, where the user is, through a symbolic link and with spaces', async () => {
  await using project = await makeProject();
  const link = path.join(project.folder, 'link');
  await symlink(path.join('the project', 'http-ae'), link);
  const { pid, exitCode, stdout } = await project.run(['evaluate', 'a file.yaml', '--json'], {
    program: link,
    cwd: project.folder,
  });
  expect(JSON.parse(stdout)).toEqual([pid, project.folder, ['evaluate', 'a file.yaml', '--json']]);
  expect(exitCode).toBe(0);
});

test('a part is built for the commands that need it, and again only when its sources change', async () => {
  await using project = await makeProject();
  const countBuilds = async () =>
    (await readFile(path.join(project.root, 'builds.log'), 'utf8')).trim().split('\n').length;
  expect((await project.run(['agent'])).stderr).toContain('building probe');
  await project.run(['agent']);
  expect(await countBuilds()).toBe(1);
  await writeFile(path.join(project.root, 'core', 'new.ts'), '2');
  await project.run(['agent']);
  expect(await countBuilds()).toBe(2);
});

test('the lock of a start that was killed is taken over', async () => {
  await using project = await makeProject();
  await mkdir(project.lock);
  await writeFile(path.join(project.lock, 'pid'), String(await endedProcess()));
  const { exitCode, stderr } = await project.run(['x']);
  expect(stderr).toContain('an earlier start was killed while it installed: taking over');
  expect(exitCode).toBe(0);
});

test('starts at the same time install once', async () => {
  await using project = await makeProject();
  const starts = await Promise.all([project.run(['x']), project.run(['x']), project.run(['x'])]);
  expect(starts.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(starts.filter(({ stderr }) => stderr.includes('installing the dependencies'))).toHaveLength(1);
});

test('an installation that fails is reported, fails, and is tried again the next time', async () => {
  await using project = await makeProject();
  const manifest = { name: 'project', version: '1.0.0', dependencies: { 'not-in-the-lock-file': '1.0.0' } };
  await writeFile(path.join(project.root, 'package.json'), JSON.stringify(manifest));
  const expected = { exitCode: 1, stdout: '', stderr: expect.stringContaining('npm ci failed (see above)') as string };
  expect(await project.run(['x'])).toMatchObject(expected);
  expect(await project.run(['x'])).toMatchObject(expected);
});

/** A machine whose Node is too old, and whose npm hands out an archive of our own in place of what is asked for. */
async function makeOldMachine(root: string) {
  const folder = path.join(root, 'machine');
  await mkdir(path.join(folder, 'package', 'bin'), { recursive: true });
  const marker = path.join(folder, 'was-run');
  await writeFile(
    path.join(folder, 'package', 'bin', 'node'),
    `#!/bin/sh\n: >'${marker}'\nexec '${process.execPath}' "$@"\n`,
  );
  execFileSync('tar', ['-czf', 'node.tgz', 'package'], { cwd: folder });
  await writeFile(
    path.join(folder, 'npm'),
    `#!/bin/sh\ncase $1 in --version) echo 11.0.0 ;; pack) cp '${folder}/node.tgz' . && echo "$@" >'${folder}/asked' ;; esac\n`,
    { mode: 0o755 },
  );
  await writeFile(path.join(folder, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v18.0.0 || exit 1\n', {
    mode: 0o755,
  });
  const sha512 = createHash('sha512')
    .update(await readFile(path.join(folder, 'node.tgz')))
    .digest('hex');
  return {
    searchPath: `${folder}:/usr/bin:/bin`,
    sha512,
    marker,
    asked: () => readFile(path.join(folder, 'asked'), 'utf8'),
  };
}

test('a Node that is fetched is unpacked and run only if it has the hash that the launcher names', async () => {
  await using project = await makeProject();
  const machine = await makeOldMachine(project.root);
  const refused = await project.run(['x'], { searchPath: machine.searchPath });
  expect(refused.stderr).toMatch(
    new RegExp(
      `the registry sent something else than node\\S+ [\\d.]+: its SHA-512 is ${machine.sha512}, not [0-9a-f]{128}\\. It was not run\\.`,
    ),
  );
  expect([refused.exitCode, refused.stdout, existsSync(machine.marker)]).toEqual([1, '', false]);
  expect(await machine.asked()).toMatch(/^pack --ignore-scripts .*node-\S+@\d+\.\d+\.\d+$/m);

  const file = path.join(project.root, 'http-ae');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/ sha512=[0-9a-f]{128}/g, ` sha512=${machine.sha512}`));
  const accepted = await project.run(['x'], { searchPath: machine.searchPath });
  expect([accepted.exitCode, existsSync(machine.marker)]).toEqual([0, true]);
}, 30_000);

test('without npm, curl brings Node and an npm from the registry that npm is told of', async () => {
  await using project = await makeProject();
  const bin = path.join(project.root, 'machine', 'bin');
  await mkdir(path.join(project.root, 'machine', 'package', 'bin'), { recursive: true });
  await mkdir(bin);
  const machine = path.dirname(bin);
  const write = (name: string, script: string) =>
    writeFile(path.join(machine, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await write('package/bin/node', `exec '${process.execPath}' "$@"`);
  await write('package/bin/npm-cli.js', `echo "$@" >>'${machine}/npm-did'`);
  execFileSync('tar', ['-czf', 'both.tgz', 'package'], { cwd: machine });
  await write(
    'bin/curl',
    `for last; do :; done; echo "$last" >>'${machine}/asked'; cp '${machine}/both.tgz' package.tgz`,
  );
  const tools =
    'sh cat chmod cksum cp cut dirname env find gzip head id mkdir mv ps readlink rm sed sha512sum sleep sort tail tar uname';
  for (const tool of tools.split(' ')) {
    const file = ['/usr/bin', '/bin'].map((folder) => path.join(folder, tool)).find((each) => existsSync(each));
    if (file !== undefined) await symlink(file, path.join(bin, tool));
  }
  await writeFile(path.join(project.folder, '.npmrc'), 'audit=false\nregistry = https://mirror.example/npm/\n');

  const archive = await readFile(path.join(machine, 'both.tgz'));
  const sha512 = createHash('sha512').update(archive).digest('hex');
  const file = path.join(project.root, 'http-ae');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/sha512=[0-9a-f]{128}/g, `sha512=${sha512}`));
  const { exitCode, stderr } = await project.run(['x'], { searchPath: bin, home: project.folder });
  expect(exitCode, stderr).toBe(0);
  const asked = (await readFile(path.join(machine, 'asked'), 'utf8')).trim().split('\n');
  expect(asked).toEqual([
    expect.stringMatching(/^https:\/\/mirror\.example\/npm\/(node-\S+)\/-\/\1-\d+\.\d+\.\d+\.tgz$/),
    expect.stringMatching(/^https:\/\/mirror\.example\/npm\/npm\/-\/npm-\d+\.\d+\.\d+\.tgz$/),
  ]);
  expect(await readFile(path.join(machine, 'npm-did'), 'utf8')).toMatch(/^--version\nci --include=dev /);
}, 30_000);

test('what was sent to a host is built: nothing is built there, and no package is installed for that', async () => {
  await using project = await makeProject();
  const machine = path.join(project.root, 'machine');
  await mkdir(machine);
  const npm = `#!/bin/sh\ncase $1 in --version) echo 11.0.0 ;; *) echo "$@" >'${machine}/npm-did' ;; esac\n`;
  await writeFile(path.join(machine, 'npm'), npm, { mode: 0o755 });
  await writeFile(path.join(project.root, '.archive'), 'an id\n');
  const searchPath = `${machine}:${process.env.PATH}`;
  const { exitCode, stderr } = await project.run(['agent'], { searchPath });
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('building')]);
  expect(await readFile(path.join(machine, 'npm-did'), 'utf8')).toMatch(/^ci --omit=dev --include=optional /);
});

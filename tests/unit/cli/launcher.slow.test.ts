import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from './support/make-project.ts';

/** The id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid!;
}

test('what Node compiled is kept with the dependencies', async () => {
  await using project = await makeProject();
  await project.run(['x']);
  const [version] = await readdir(path.join(project.root, 'node_modules', '.cache', 'compiled'));
  expect(version).toContain(process.version);
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

test('without npm, curl brings Node and an npm from the registry that npm has in its settings', async () => {
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

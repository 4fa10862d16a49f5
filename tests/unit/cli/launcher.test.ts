import { appendFile, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from './support/make-project.ts';

test('the first start installs, later ones go straight to the command, until the lock file changes', async () => {
  await using project = await makeProject();
  expect((await project.run(['x'])).stderr).toContain(
    'installing the dependencies (npm ci); this may take some minutes',
  );
  expect((await project.run(['x'])).stderr).toBe('');
  await appendFile(path.join(project.root, 'package-lock.json'), '\n');
  expect((await project.run(['x'])).stderr).toContain('installing the dependencies');
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

import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { commandOf, listProcesses } from '#tests/support/list-processes.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { findChrome } from '../../browser/support/find-chrome.ts';

/** Bodies and browser are kept in it. */
const surroundings = (folder: string) => ({ HTTP_AE_CHROME: findChrome(), TMPDIR: folder, HTTP_AE_HOME: folder });

test('"site record" writes a page that "site show" prints, and leaves nothing else', async () => {
  await using folder = await makeTemporaryFolder();
  await using origin = await startOrigin();
  const file = path.join(folder.path, 'images.wacz');
  const args = ['site', 'record', `${origin.http2Url}/images/4`, '--to', file, '--trusted-key', origin.trustedKey];
  const recorded = await runCli([...args, '--visits', '2'], surroundings(folder.path));
  const said = ['Warming up', 'Visit 1 of 2', 'Visit 2 of 2'].map((what) => `${what}: ${origin.http2Url}/images/4\n`);
  expect(recorded.stderr).toBe(said.join(''));
  expect(recorded.exitCode).toBe(0);
  const shown = await runCli(['site', 'show', file]);
  expect(shown.stdout).toBe(recorded.stdout);
  expect(shown.stdout).toMatch(/^1 https:\/\/127\.0\.0\.1:\d+\/images\/4 +2 +5 +46 kB /m);
  expect(await readdir(folder.path)).toEqual(['images.wacz']);

  await rename(file, `${file}.moved`);
  const failed = await runCli(
    ['site', 'record', `${origin.http2Url}/images/4`, '--to', file],
    surroundings(folder.path),
  );
  expect(failed.stderr).toMatch(/cannot be recorded: its certificate is not trusted here .*--trusted-key\. No file/);
  expect(failed.exitCode).toBe(1);
  expect(await readdir(folder.path)).toEqual(['images.wacz.moved']);
});

test('Ctrl-C in a visit leaves no browser and no file', async () => {
  await using folder = await makeTemporaryFolder();
  await using origin = await startOrigin();
  const url = `${origin.httpUrl}/images/4?delayMs=20000`;
  const args = ['site', 'record', url, '--to', path.join(folder.path, 'images.wacz')];
  await using recording = new CliProcess(args, surroundings(folder.path));
  // The browser's profile is in the folder.
  const isOurs = (pid: string) => commandOf(pid).includes(folder.path);
  await expect.poll(() => origin.truth.requests().length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(listProcesses(isOurs).length).toBeGreaterThan(1);
  recording.child.kill('SIGINT');
  expect(await recording.untilEnded()).toBe(130);
  expect(recording.stderr).toContain('Stopped by SIGINT');
  await expect.poll(() => listProcesses(isOurs)).toEqual([]);
  expect(await readdir(folder.path)).toEqual([]);
});

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { studyCommand } from '#cli/commands/study.ts';
import { writeCommand } from '#cli/study/run-study.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('study list names each study, its papers, its parts and their times', async () => {
  const { exitCode, stdout, stderr } = await runCli(['study', 'list']);
  expect(stdout).toMatch(/^users: Do equal users share a satellite link alike\?\n/m);
  expect(stdout).toMatch(
    /Davern et al\. 2011, figure 10.*\n {2}about 1 h 0 min, with --quick 14 min; parts: firefox \(\d+ min, quick \d+\), chrome \(/,
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const listed = JSON.parse((await runCli(['study', 'list', '--json'])).stdout) as { name: string }[];
  expect(listed.map(({ name }) => name)).toContain('users');
});

test.concurrent.for([
  [['run', 'none'], 'There is no study "none": write one of '],
  [['run', 'users', '--part', 'opera'], '--part: "users" has no part "opera": write one of firefox, chrome'],
  [['run', 'users', '--rounds', '0'], 'It must be a whole number from 1 to 1000.'],
  [['run', 'users', '--set', 'link'], 'It must be a name and a value, such as rounds=5.'],
  [['run', 'users', '--set', 'speed=1'], '--set: "users" has no value "speed": write one of rateKbps, '],
  [['run', 'users', '--set', 'rateKbps=-1'], 'five-users.yaml:'],
  [['run'], 'Name at least one study, or write --all'],
  [['run', 'users', 'push', '--part', 'chrome'], '--part and --set are of one study: name one'],
  [
    ['report', 'users', '--from', '/nowhere', '--to', '/nowhere'],
    '/nowhere has no results of users: it needs NAME/findings.md',
  ],
  [['check', '/nowhere/run.bundle.gz'], '/nowhere/run.bundle.gz cannot be read'],
  [['check'], "missing required argument 'BUNDLE'"],
  [['lost'], "unknown command 'lost'\n(Did you mean list?)"],
] as const)(
  'study %j is refused with what to write instead, and starts nothing',
  async ([args, message], { expect }) => {
    await using folder = await makeTemporaryFolder();
    const { exitCode, stdout, stderr } = await runCli(['study', ...args], {
      HTTP_AE_HOME: path.join(folder.path, 'home'),
    });
    expect(stderr).toContain(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  },
);

test('a value of a study that is replaced is a number where it is one, so that figures have it as an axis', async () => {
  const run = studyCommand().commands.find((command) => command.name() === 'run')!;
  const set = ['rateKbps=5e2', 'link=geo-1m', 'images={1,10}', 'pages='];
  await run.action(() => undefined).parseAsync(['users', '--set', ...set], { from: 'user' });
  const values = { rateKbps: 500, link: 'geo-1m', images: '{1,10}', pages: '' };
  expect(run.opts()).toEqual({ set: values });
  expect(writeCommand('users', { isQuick: true, rounds: 3, set: values })).toBe(
    "./http-ae study run users --quick --rounds 3 --set rateKbps=500 --set link=geo-1m --set 'images={1,10}' --set pages=",
  );
});

test('study report writes claims, verdicts and figures of all studies as one document without other files', async () => {
  await using folder = await makeTemporaryFolder();
  const { exitCode, stdout } = await runCli(['study', 'report', '--all', '--to', path.join(folder.path, 'report')]);
  const file = path.join(folder.path, 'report/studies.html');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${file}\n` });
  const html = await readFile(file, 'utf8');
  expect(html).toContain('<section id="users">');
  expect(html.match(/<img src="data:image\/svg\+xml;base64,/g)!.length).toBeGreaterThan(100);
  expect(html).toContain('<strong>confirmed</strong>');
  expect(html).not.toMatch(/<(script|link)|(src|href)="(?!data:|#|https?:)/);
});

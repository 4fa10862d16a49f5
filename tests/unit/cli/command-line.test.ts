import { createReadStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { reportError } from '#cli/report-error.ts';
import { InterruptedError } from '#cli/watch-interrupts.ts';
import { AppError } from '#core/app-error.ts';
import { linkPresetNames } from '#core/evaluation/network/link-profile-presets.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { runInProcess } from './support/run-in-process.ts';

const optionsOf: Record<string, string[]> = {
  demo: ['--once', '--port <PORT>', '--trace-limit <SIZE>', '--json'],
  up: [
    '--allow-scripts',
    '--extension',
    '--host <ADDRESS>',
    '--port <PORT>',
    '--trusted-proxy <ADDRESSES>',
    '--trace-limit <SIZE>',
    '--json',
  ],
  link: ['--role <ROLE>', '--json'],
  token: ['<ACTION>', '--agent [NAME]', '--api', '--json'],
  agent: ['--controller <URL,…>', '--token <TOKEN>', '--token-file <FILE>', '--name <NAME>', '--chrome <PATH>'],
  hosts: [
    '<ACTION>',
    '--inventory <FILE>',
    '--limit <GROUP>',
    '--service',
    '--tunnel',
    '--parallel <NUMBER>',
    '--json',
  ],
  open: ['[RUN]', '--print', '--controller <URL>', '--token <TOKEN>'],
  runs: ['[ACTION]', '[RUN...]', '--limit <NUMBER>', '--yes', '--json', '--controller <URL>', '--token <TOKEN>'],
  'add-rounds': ['<RUN>', '[NUMBER]', '--wait', '--json', '--from <MOMENT>', '--controller <URL>', '--token <TOKEN>'],
  again: [
    '<RUN>',
    '--label <KEY=VALUE>',
    '--wait',
    '--json',
    '--from <MOMENT>',
    '--controller <URL>',
    '--token <TOKEN>',
  ],
  compare: ['<A>', '<B>', '--metric <METRIC>', '--json', '--from <MOMENT>', '--controller <URL>'],
  trend: ['<EVALUATION>', '--json', '--controller <URL>', '--token <TOKEN>'],
  evaluate: [
    '<FILE.yaml>',
    '--wait',
    '--label <KEY=VALUE>',
    '--pilot',
    '--new',
    '--evaluation <ID>',
    '--assert <TEXT>',
    '--fail-undecided',
    '--junit <FILE>',
    '--markdown <FILE>',
    '--json',
    '--from <MOMENT>',
    '--controller <URL>',
    '--token <TOKEN>',
  ],
  export: ['<RUN>', '--format <FORMAT>', '--output <FILE>', '--from <MOMENT>', '--controller <URL>', '--token <TOKEN>'],
  report: ['<BUNDLE>', '--from <MOMENT>', '--json'],
  backup: ['<FILE>', '--json'],
  restore: ['<FILE>', '--replace', '--json'],
  schema: [],
  'site record': [
    '[URL...]',
    '--to <FILE.wacz>',
    '--engine <ENGINE>',
    '--journey <FILE>',
    '--visits <NUMBER>',
    '--keep-secrets',
    '--trusted-key <KEY...>',
    '--json',
  ],
  'site show': ['<FILE.wacz>', '--json'],
  'site import': ['<FILE.har>', '--to <FILE.wacz>', '--keep-secrets', '--json'],
  'site export': ['<FILE.wacz>', '--to <FILE.har>'],
  capinfo: ['<FILE...>', '--local <ADDRESSES>', '--against <PROGRAM>', '--json'],
  origin: ['--host', '--port', '--tls-port', '--all', '--http3', '--json'],
  pep: ['<END>', '--listen <HOST:PORT>', '--key <FILE>', '--ground <HOST:PORT>', '--rate <KBPS>', '--json'],
  dev: ['--port <PORT>'],
  test: ['[KIND...]', '--watch', '--json'],
};

test.for(Object.entries(optionsOf))(
  '%s --help lists its options and what the exit status means',
  async ([command, options]) => {
    const { exitCode, stdout, stderr } = await runInProcess([...command.split(' '), '--help']);
    for (const option of options) expect(stdout).toContain(option);
    expect(stdout).toContain('--verbose');
    expect(stdout).toContain('Exit status: 0 done');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  },
);

test('testbed --help lists every preset', async () => {
  const { stdout } = await runInProcess(['testbed', '--help']);
  expect(stdout).toContain(`Presets: ${linkPresetNames.join(', ')}.`);
});

test('--help lists every command on a line of its own that a terminal of 80 columns does not break', async () => {
  const { stdout } = await runCli(['--help']);
  for (const command of Object.keys(optionsOf)) expect(stdout).toMatch(new RegExp(`^  ${command.split(' ')[0]} `, 'm'));
  const lines = stdout.slice(stdout.indexOf('Commands:\n')).split('\n\n')[0]!.split('\n').slice(1);
  for (const line of lines) expect(line).toMatch(/^ {2}[a-z].{0,77}$/);
});

test.for([
  [['evalute'], "unknown command 'evalute'\n(Did you mean evaluate?)"],
  [['demo', '--onec'], "unknown option '--onec'\n(Did you mean --once?)"],
  [['agent', '--controller', 'http://127.0.0.1:8420', '--token', 'x'], "required option '--name <NAME>' not specified"],
  [
    ['agent', '--controller', 'http://127.0.0.1:8420,127.0.0.1:8421', '--token', 'x', '--name', 'a'],
    'It must be the complete URL of a Controller, such as http://127.0.0.1:8420.',
  ],
  [
    ['testbed', 'up', 'geo-1m', '--controller', '127.0.0.1:8420'],
    'It must be the complete URL of a Controller, such as http://127.0.0.1:8420.',
  ],
  [
    ['agent', '--controller', 'http://127.0.0.1:8420', '--name', 'a'],
    'An Agent needs a token: give it by --token, --token-file or HTTP_AE_TOKEN',
  ],
  [
    ['agent', '--controller', 'http://127.0.0.1:8420', '--token', 'x', '--name', 'a', '--no-browser', '--extension'],
    "option '--extension [BROWSER]' cannot be used with option '--no-browser'",
  ],
  [['agent', '--controller', 'http://127.0.0.1:8420', '--token', 'x', '--name', ' '], 'It must not be empty.'],
  [['hosts', 'status', '--service'], '--service and --tunnel are for "hosts up"'],
  [['hosts', 'up', '--service', '--tunnel'], 'A tunnel ends with this command, and a service does not: leave out one'],
  [['hosts', 'up', '--inventory', '/nowhere/hosts.yaml'], 'name an inventory by --inventory FILE'],
  [['up', '--port', '99999'], 'A port is a whole number from 1 to 65535, or 0 for any free one.'],
  [
    ['up', '--trusted-proxy', '10.0.0.7,proxy'],
    '--trusted-proxy: proxy is no address. Write 192.168.1.7 or 192.168.1.0/24',
  ],
  [['up', '--extension'], '--allow-scripts and --extension are for the Agent on this machine: add --agent'],
  [['up', '--trace-limit', '5 parsecs'], 'A size is a number of bytes, or one with a unit such as 500MB, 5GB or 5GiB.'],
  [['export', '1', '--format', 'xml'], 'Allowed choices are csv, json, parquet, har, html, bundle.'],
  [['export', '--format', 'csv'], "missing required argument 'RUN'"],
  [['compare', '1'], "missing required argument 'B'\n(see http-ae compare --help)"],
  [['compare', '7', '7'], '"compare" needs two Runs, but both are Run 7'],
  [['trend'], "missing required argument 'EVALUATION'"],
  [['add-rounds'], "missing required argument 'RUN'"],
  [['add-rounds', '7', '0'], 'It must be a whole number from 1 to'],
  [['again', 'x'], 'It must be the id of a Run, a whole number: "./http-ae runs" lists them.'],
  [['again', '7', '--from', 'first-request'], '--from needs --wait: only the comparison has latencies'],
  [['evaluate', 'x.yaml', '--assert', 'totalMs: mean < 1s'], '--assert needs --wait: it is about the result'],
  [['evaluate', 'x.yaml', '--evaluation', 'x'], 'It must be the id of an Evaluation, a whole number'],
  [
    ['evaluate', 'x.yaml', '--evaluation', '7', '--new'],
    "option '--new' cannot be used with option '--evaluation <ID>'",
  ],
  ...[['--estimate'], ['--pilot']].map(
    (options) =>
      [
        ['evaluate', 'x.yaml', ...options, '--wait', '--assert', 'totalMs: mean < 1s'],
        "option '--estimate' cannot be used with option '--wait'",
      ] as const,
  ),
  [
    ['evaluate', 'x.yaml', '--wait', '--markdown', '/nowhere/x.md'],
    '/nowhere/x.md cannot be written: ENOENT: no such file or directory',
  ],
  [['evaluate', 'x.yaml', '--wait', '--markdown', 'tests'], 'tests cannot be written: it is a folder'],
  [['evaluate', 'x.yaml', '--wait', '--junit', 'x.xml'], '--junit needs --assert: each assertion is a test case'],
  [
    ['evaluate', 'x.yaml', '--assert', 'totalMs: reduction > 5'],
    '  totalMs: reduction > 5\n                       ^\nThe number after "reduction" needs a unit: -5%.',
  ],
  [['site', 'record', '--to', 'x.wacz'], 'There is no page to record: name a URL, or --journey FILE'],
  [['site', 'record', 'shop.test', '--to', 'x.wacz'], 'write the full URL'],
  [['site', 'record', 'http://shop.test/', '--to', 'package.json'], 'package.json exists: name a new file'],
  [['site', 'record', 'http://shop.test/', '--to', 'no-such-folder/x.wacz'], 'x.wacz cannot be written: ENOENT'],
  [
    ['site', 'record', ...Array<string>(201).fill('http://shop.test/'), '--to', 'x'],
    'There are 201 pages: a recording has at most 200',
  ],
  [['site', 'record', 'http://shop.test/', '--to', 'x', '--visits', '0'], 'It must be a whole number from 1 to 100.'],
  [
    ['site', 'record', 'http://shop.test/', '--to', 'x', '--trusted-key', 'abc'],
    'must be the base64 SHA-256 of a public key',
  ],
  [['site', 'show', 'package.json'], 'package.json is no WACZ, which is a zip file'],
  [['site', 'import', 'package.json', '--to', 'x.wacz'], 'package.json is no HAR'],
  [['site', 'export', '/nowhere/a.wacz', '--to', 'x.har'], '/nowhere/a.wacz cannot be read'],
  [['runs', 'list', '7'], '"runs list" takes no ids, but 7 was given'],
  [['runs', '--limit', '0'], 'It must be a whole number from 1 to 200.'],
  [['open', '../x'], 'It must be the id of a Run, a whole number: "./http-ae runs" lists them.'],
  [['test', 'unti'], 'Allowed choices are lint, unit, fuzz, calibration, db, browser, testbed, e2e.'],
] as const)('%j is refused with what to write instead', async ([args, message]) => {
  const { exitCode, stdout, stderr } = await runInProcess(args);
  expect(stderr).toContain(message);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

test('without a command it says which there are, as a misuse', async () => {
  const { exitCode, stdout, stderr } = await runCli([]);
  expect(stderr).toContain('Usage: http-ae');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

test('an interrupt after which something cannot be put back is an interrupt, and both are printed', async () => {
  const stop = async () => {
    await using held = new AsyncDisposableStack();
    held.defer(() => Promise.reject(new AppError('controller-unreachable', 'The token is not revoked')));
    throw new InterruptedError('SIGINT');
  };
  let printed = '';
  const error = await stop().catch((thrown: unknown) => thrown);
  expect(reportError(error, { isVerbose: false, write: (text) => void (printed += text) })).toBe(130);
  expect(printed).toBe('Stopped by SIGINT\nThe token is not revoked\n');
});

test('an interrupt while a file is read is an interrupt', async () => {
  const interrupts = new AbortController();
  const reading = createReadStream('package.json', { signal: interrupts.signal }).toArray();
  interrupts.abort(new InterruptedError('SIGTERM'));
  let printed = '';
  const error = await reading.catch((thrown: unknown) => thrown);
  expect(reportError(error, { isVerbose: false, write: (text) => void (printed += text) })).toBe(143);
  expect(printed).toBe('Stopped by SIGTERM\n');
});

test('a full disk is named without a stack, also of a file that is open', async () => {
  await using full = await open('/dev/full', 'w');
  let printed = '';
  const error = await full.appendFile('a').catch((thrown: unknown) => thrown);
  expect(reportError(error, { isVerbose: false, write: (text) => void (printed += text) })).toBe(1);
  expect(printed).toBe('ENOSPC: no space left on device, write: make room on the disk\n');
});

test('a backup is read twice, so that no pipe and no folder is restored', async () => {
  for (const file of ['tests', '/dev/null']) {
    const { exitCode, stderr } = await runCli(['restore', file]);
    expect(stderr).toBe(`${file} cannot be read: it is no regular file, and a backup is read twice\n`);
    expect(exitCode).toBe(2);
  }
});

test('a word that is not UTF-8 is refused, and not stored as another', async () => {
  const { exitCode, stderr } = await runCli(['evaluate', 'a.yaml', '--label', 'a=caf\uFFFD']);
  expect(stderr).toBe('Word 4 of the command is not UTF-8: a=caf\uFFFD. Set the terminal to UTF-8\n');
  expect(exitCode).toBe(2);
});

test('a file that is not there is named, and standard output stays empty', async () => {
  const { exitCode, stdout, stderr } = await runCli(['evaluate', '/nowhere/evaluation.yaml', '--json']);
  expect(stderr).toMatch(/^\/nowhere\/evaluation\.yaml cannot be read .*: name a YAML file with an Evaluation\n$/);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

test('a folder, or what is no bundle, is no report', async () => {
  await using folder = await makeTemporaryFolder();
  const noBundle = path.join(folder.path, 'run.bundle.gz');
  await writeFile(noBundle, 'no bundle');
  for (const file of [folder.path, noBundle]) {
    const { exitCode, stdout, stderr } = await runCli(['report', file]);
    expect(stderr).toContain(`${file} is damaged or not a bundle`);
    expect({ exitCode, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      exitCode: 2,
      stdout: '',
      lines: 1,
    });
  }
});

test('where no Controller runs, the way to start or name one is shown', async () => {
  await using folder = await makeTemporaryFolder();
  const { exitCode, stderr } = await runCli(['export', '1', '--format', 'csv'], { HTTP_AE_HOME: folder.path });
  expect(stderr).toBe(
    'No Controller runs on this machine: start one with "./http-ae up", or name one with --controller and --token\n',
  );
  expect(exitCode).toBe(2);
});

test('a Controller that does not answer is reported in one line, and with the stack and its causes by --verbose', async () => {
  await using folder = await makeTemporaryFolder();
  const args = ['export', '1', '--format', 'csv', '--controller', 'http://127.0.0.1:9', '--token', 'hae_x'];
  const brief = await runCli(args, { HTTP_AE_HOME: folder.path });
  expect(brief.stderr).toBe(
    'No Controller answers at http://127.0.0.1:9: is it running ("./http-ae up"), and is the URL right?\n',
  );
  expect(brief.exitCode).toBe(1);

  const verbose = await runCli([...args, '--verbose'], { HTTP_AE_HOME: folder.path });
  expect(verbose.stderr).toContain('    at ');
  expect(verbose.stderr).toContain('Caused by TypeError: fetch failed');
});

test('another Controller than the one on this machine needs its own token', async () => {
  await using folder = await makeTemporaryFolder();
  await writeFile(
    path.join(folder.path, 'local-token.json'),
    JSON.stringify({ url: 'http://127.0.0.1:8420', token: 'hae_local' }),
  );
  const { exitCode, stderr } = await runCli(['export', '1', '--format', 'csv', '--controller', 'http://198.51.100.7'], {
    HTTP_AE_HOME: folder.path,
  });
  expect(stderr).toMatch(/^http:\/\/198\.51\.100\.7 needs a token/);
  expect(exitCode).toBe(2);
});

test('a browser that does not start is named', async () => {
  await using folder = await makeTemporaryFolder();
  const args = [
    'agent',
    '--controller',
    'http://127.0.0.1:9',
    '--token',
    'x',
    '--name',
    'a',
    '--chrome',
    '/nowhere/chrome',
  ];
  const { exitCode, stderr } = await runCli(args, { HTTP_AE_HOME: folder.path });
  expect(stderr).toContain('/nowhere/chrome, which does not start (no such file)');
  expect(exitCode).toBe(1);
});

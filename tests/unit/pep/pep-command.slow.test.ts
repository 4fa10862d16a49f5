import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliProcess } from '#tests/support/cli-process.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { ask } from './support/ask.ts';
import { startOddOrigin, type OddOrigin } from './support/odd-origin.ts';

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let origin: OddOrigin;
let keyFile: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  origin = await startOddOrigin();
  keyFile = await write('key', 'a key that both of the processes read\n');
});

afterAll(async () => {
  await origin[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder.path, name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

const start = (...args: string[]) => new CliProcess(['pep', ...args, '--key', keyFile, '--json'], {});
const portOf = async (end: CliProcess) => (JSON.parse(await end.firstLine()) as { port: number }).port;

test('the two commands are a proxy; an end that is killed is a 502 or 504 within 2 s, and is not missed when it is back', async () => {
  const startGround = (port: number) => start('ground', '--listen', `127.0.0.1:${port}`, '--allow-private');
  await using firstGround = startGround(0);
  const groundPort = await portOf(firstGround);
  const startRemote = (port: number) =>
    start('remote', '--listen', `127.0.0.1:${port}`, '--ground', `127.0.0.1:${groundPort}`);
  await using remote = startRemote(0);
  const port = await portOf(remote);
  const direct = await ask(`${origin.url}/big`);
  expect(await ask(`${origin.url}/big`, {}, port)).toEqual(direct);

  const silent = ask(`${origin.url}/silent`, {}, port);
  await expect.poll(() => origin.asked).toContain('GET /silent');
  const killedMs = performance.now();
  await firstGround.kill('SIGKILL');
  expect([502, 504]).toContain((await silent).status);
  expect(performance.now() - killedMs).toBeLessThan(2000);
  await using secondGround = startGround(groundPort);
  await portOf(secondGround);
  await expect.poll(async () => (await ask(`${origin.url}/plain`, {}, port)).status).toBe(200);

  await remote.kill('SIGKILL');
  await using secondRemote = startRemote(port);
  expect(await ask(`${origin.url}/big`, {}, await portOf(secondRemote))).toEqual(direct);
});

test('both ends publish their counters, and write them at the end', async () => {
  const files = ['ground', 'remote'].map((end) => path.join(folder.path, `${end}.jsonl`));
  const publish = (n: number) => ['--metrics', '127.0.0.1:0', '--counters', files[n]!];
  const metricsOf = async (end: CliProcess) => {
    const { metricsPort } = JSON.parse(await end.firstLine()) as { metricsPort: number };
    return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  };
  {
    await using ground = start('ground', '--listen', '127.0.0.1:0', '--allow-private', '127.0.0.0/8', ...publish(0));
    const groundPort = await portOf(ground);
    await using remote = start(
      'remote',
      '--listen',
      '127.0.0.1:0',
      '--ground',
      `127.0.0.1:${groundPort}`,
      ...publish(1),
    );
    expect((await ask(`${origin.url}/plain`, { headers: { accept: 'text/html' } }, await portOf(remote))).status).toBe(
      200,
    );
    expect(await metricsOf(remote)).toContain('httpep_remote_user_requests_total{user="127.0.0.1"} 1\n');
    expect(await metricsOf(ground)).toContain('httpep_ground_user_requests_total{user="127.0.0.1"} 1\n');
  }
  const [groundLines, remoteLines] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(groundLines).toContain('"kind":"user","user":"127.0.0.1","requests":1');
  expect(remoteLines).toContain(`"kind":"page","user":"127.0.0.1","url":"${origin.url}/plain"`);
});

describe('what is refused, with what to do', () => {
  const cases: [string, string[] | (() => Promise<string[]>), string][] = [
    ['no end', ['sky', '--listen', 'a:1', '--key', 'x'], 'Allowed choices are ground, remote.'],
    ['no address', ['ground', '--listen', '3128', '--key', 'x'], 'It must be HOST:PORT, such as 127.0.0.1:3128'],
    ['a port that does not exist', ['ground', '--listen', 'a:70000', '--key', 'x'], 'It must be HOST:PORT'],
    ['no key', ['ground', '--listen', 'a:1'], "required option '--key <FILE>' not specified"],
    ['no key file', ['ground', '--listen', 'a:1', '--key', '/nowhere/key'], '/nowhere/key cannot be read'],
    [
      'no ground end',
      () => Promise.resolve(['remote', '--listen', '127.0.0.1:0', '--key', keyFile]),
      'The remote end needs --ground HOST:PORT',
    ],
    [
      'another end’s option',
      () => Promise.resolve(['ground', '--listen', '127.0.0.1:0', '--key', keyFile, '--clients', '::1']),
      'The ground end has no --clients',
    ],
    [
      'a short key',
      async () => ['ground', '--listen', '127.0.0.1:0', '--key', await write('short', 'secret')],
      'fewer than 32 characters. Make one with',
    ],
    ['too many connections', ['remote', '--listen', 'a:1', '--key', 'x', '--connections', '17'], 'from 1 to 16'],
    [
      'no rate',
      ['ground', '--listen', 'a:1', '--key', 'x', '--rate', '2Mb'],
      'A rate is auto, or a number from 1 to 10000000 kb/s.',
    ],
    ['too small a share', ['ground', '--listen', 'a:1', '--key', 'x', '--pace-ratio', '0.4'], 'from 0.5 to 1'],
    [
      'a share of no rate',
      () => Promise.resolve(['ground', '--listen', '127.0.0.1:0', '--key', keyFile, '--pace-ratio', '0.9']),
      '--pace-ratio needs the rate of the link: add --rate',
    ],
    ['no quality', ['ground', '--listen', 'a:1', '--key', 'x', '--image-quality', '0'], 'a whole number from 1 to 100'],
    [
      'a network that does not exist',
      () => Promise.resolve(['ground', '--listen', '127.0.0.1:0', '--key', keyFile, '--allow-private', '10.0.0.0/8,x']),
      '--allow-private: x is no address',
    ],
    [
      'a file that cannot be written',
      () => Promise.resolve(['ground', '--listen', '127.0.0.1:0', '--key', keyFile, '--counters', '/proc/no/file']),
      '/proc/no/file cannot be written',
    ],
    [
      'no network',
      () =>
        Promise.resolve([
          'remote',
          '--listen',
          '127.0.0.1:0',
          '--ground',
          'a:1',
          '--key',
          keyFile,
          '--clients',
          '10.0.0.0/40',
        ]),
      '10.0.0.0/40 is no address',
    ],
    [
      'classes with a wrong field',
      async () => [
        'ground',
        '--listen',
        '127.0.0.1:0',
        '--key',
        keyFile,
        '--classes',
        await write('classes', 'gold: { weight: -1 }'),
      ],
      'gold.weight',
    ],
    [
      'a user of two classes',
      async () => [
        'ground',
        '--listen',
        '127.0.0.1:0',
        '--key',
        keyFile,
        '--classes',
        await write('twice', 'a: { weight: 1, users: [u] }\nb: { weight: 2, users: [u] }'),
      ],
      'u is in a and in b',
    ],
    [
      'a user without a password',
      async () => [
        'remote',
        '--listen',
        '127.0.0.1:0',
        '--ground',
        'a:1',
        '--key',
        keyFile,
        '--credentials',
        await write('users', '# all\nann:x\nbob\n'),
      ],
      'line 3: write name:password',
    ],
  ];
  test.for(cases)('%s', async ([, args, message]) => {
    const { exitCode, stdout, stderr } = await runCli(['pep', ...(typeof args === 'function' ? await args() : args)]);
    expect(stderr).toContain(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  test('a key that all can read', async () => {
    const open = await write('open', 'a key of more than thirty-two characters');
    await chmod(open, 0o644);
    const { exitCode, stderr } = await runCli(['pep', 'ground', '--listen', '127.0.0.1:0', '--key', open]);
    expect(stderr).toContain(`Run: chmod 600 ${open}`);
    expect(exitCode).toBe(2);
  });

  test('a port that is taken', async () => {
    const { exitCode, stderr } = await runCli([
      'pep',
      'ground',
      '--listen',
      `127.0.0.1:${origin.port}`,
      '--key',
      keyFile,
    ]);
    expect(stderr).toContain(`Cannot listen on 127.0.0.1:${origin.port}`);
    expect(exitCode).toBe(1);
  });
});

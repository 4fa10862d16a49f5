import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isInTestbed, writeHttpepCommand } from '#agent/processes/httpep-command.ts';

const run = promisify(execFile);
const key = 'k'.repeat(44);
const originKey = `${'A'.repeat(43)}=`;
/** Prints each of its arguments on a line. */
const launcher = ['printf', String.raw`%s\n`];

test('the words of an end reach HTTP-AE as they are, its key in a file of its own that goes', async () => {
  const command = await writeHttpepCommand([...launcher, "it's; $(true)"], {
    end: 'ground',
    listen: '198.19.0.1:9000',
    key,
    rateKbps: 1000.5,
    paceRatio: 0.9,
    scheduler: 'fifo',
    bundling: false,
    text: 'none',
    images: 'jpeg',
    imageQuality: 50,
    trustedKeys: [originKey],
    viewport: { widthPx: 1366, heightPx: 768 },
    classes: { "gold's": { weight: 2, users: ['198.19.1.1'] } },
  });
  const words = (await run('sh', ['-c', command.command])).stdout.trimEnd().split('\n');
  const file = words[words.indexOf('--key') + 1]!;
  const classes = words[words.indexOf('--classes') + 1]!;
  const counters = words[words.indexOf('--counters') + 1]!;
  expect(words).toEqual(
    ["it's; $(true)", 'pep', 'ground', '--listen', '198.19.0.1:9000', '--key', file, '--counters', counters].concat(
      ['--rate', '1000.5', '--pace-ratio', '0.9', '--scheduler', 'fifo', '--text', 'none', '--images', 'jpeg'],
      ['--image-quality', '50', '--viewport', '1366x768', '--trusted-keys', originKey, '--no-bundling'],
      ['--allow-private', '--classes', classes],
    ),
  );
  expect(command.command).not.toContain(key);
  expect(await readFile(file, 'utf8')).toBe(key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(classes, 'utf8')).toContain('weight: 2');

  expect(await command.readCounters()).toBe('');
  const user = { end: 'ground', kind: 'user', user: '198.19.1.1' };
  const page = { end: 'remote', kind: 'page', url: 'http://a/' };
  const lines = [
    { at: '1', ...user, requests: 1 },
    { at: '2', ...page, startedAt: '1' },
    { at: '3', ...user, requests: 2 },
    { at: '4', ...page, startedAt: '3' },
  ];
  await writeFile(counters, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"at":"5","ki`);
  expect(
    (await command.readCounters())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { ...user, requests: 2 },
    { ...page, startedAt: '1' },
    { ...page, startedAt: '3' },
  ]);

  await command[Symbol.asyncDispose]();
  for (const path of [file, classes, counters]) await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('the private key with which an end ends TLS is in a file of its own that goes', async () => {
  const tlsKey = '-----BEGIN PRIVATE KEY-----\nof a Round\n-----END PRIVATE KEY-----\n';
  const command = await writeHttpepCommand(launcher, {
    end: 'remote',
    listen: '198.19.0.2:3128',
    key,
    ground: '198.19.0.1:9000',
    connections: 4,
    clients: ['198.19.0.0/16'],
    tlsKey,
  });
  const words = (await run('sh', ['-c', command.command])).stdout.trimEnd().split('\n');
  const file = words[words.indexOf('--tls-key') + 1]!;
  expect(command.command).not.toContain('PRIVATE');
  expect(await readFile(file, 'utf8')).toBe(tlsKey);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await command[Symbol.asyncDispose]();
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

test('only addresses of a testbed need no permission', () => {
  expect(['198.18.0.0:1', '198.19.255.255:3128'].every((listen) => isInTestbed({ listen }))).toBe(true);
  for (const listen of ['198.20.0.1:3128', '0.0.0.0:3128', '127.0.0.1:3128', '[::1]:3128', '[::ffff:198.19.0.1]:3128'])
    expect(isInTestbed({ listen })).toBe(false);
});

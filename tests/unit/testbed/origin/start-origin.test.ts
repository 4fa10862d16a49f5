import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOrigin } from '#testbed/origin/start-origin.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'origin-'));
});
afterEach(() => rm(folder, { recursive: true }));

const entry = join(import.meta.dirname, '../../../../testbed/origin/main.ts');

test('the authority of a folder is made once, is private, and is the same for origins that start at once', async () => {
  const authorityFolder = join(folder, 'authority');
  const together = await Promise.all([1, 2, 3].map(() => startOrigin({ authorityFolder })));
  const later = await startOrigin({ authorityFolder });
  await Promise.all([...together, later].map((origin) => origin.close()));

  expect(new Set([...together, later].map((origin) => origin.trustedKey)).size).toBe(1);
  const files = await readdir(authorityFolder);
  expect(files).toEqual(['origin-authority.pem']);
  expect((await stat(join(authorityFolder, files[0]!))).mode & 0o777).toBe(0o600);
});

test('without a folder each origin has an authority of its own', async () => {
  const origins = await Promise.all([startOrigin(), startOrigin()]);
  await Promise.all(origins.map((origin) => origin.close()));
  expect(origins[0].trustedKey).not.toBe(origins[1].trustedKey);
});

test('a folder whose authority is damaged is reported, with what to do', async () => {
  await writeFile(join(folder, 'origin-authority.pem'), 'not a certificate');
  await expect(startOrigin({ authorityFolder: folder })).rejects.toThrow(/has no valid certificate.*delete it/);
});

test('a port that is taken is reported, and the other listeners are closed again', async () => {
  const first = await startOrigin();
  const taken = Number(new URL(first.http2Url).port);
  const free = await startOrigin();
  const freed = Number(new URL(free.httpUrl).port);
  await free.close();
  try {
    await expect(startOrigin({ ports: { http: freed, http2: taken } })).rejects.toMatchObject({
      code: 'port-taken',
      message: `The origin's http2 port 127.0.0.1:${taken} is in use: stop the program that uses it, or name another port`,
    });
    const refused = connect({ host: '127.0.0.1', port: freed });
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  } finally {
    await first.close();
  }
});

test.each([
  [{ host: 'example.org' }, /host must be one IP address/],
  [{ host: '0.0.0.0' }, /host must be one IP address/],
  [{ ports: { http: 70_000 } }, /ports\.http must be at most 65535/],
  [{ imagesFolder: '/nonexistent' }, /images folder \/nonexistent cannot be read/],
])('options that make no sense are refused: %j', async (options, words) => {
  await expect(startOrigin(options)).rejects.toThrow(words);
});

test('an images folder without JPEGs is refused', async () => {
  await expect(startOrigin({ imagesFolder: folder })).rejects.toThrow(/has no \.jpg or \.jpeg file/);
});

test('the two plain origins are different sites', async () => {
  const origin = await startOrigin();
  await origin.close();
  expect(new URL(origin.httpUrl).hostname).toBe('127.0.0.1');
  expect(new URL(origin.crossOriginUrl).hostname).toBe('localhost');
});

test('closing breaks off what is in flight, frees the ports, and may be done twice', async () => {
  const origin = await startOrigin();
  const hanging = fetch(`${origin.httpUrl}/hang`);
  await expect.poll(() => origin.truth.requests()).toHaveLength(1);
  await Promise.all([origin.close(), expect(hanging).rejects.toThrow()]);
  await origin.close();
  await expect(fetch(`${origin.httpUrl}/images/0`)).rejects.toThrow();
});

test('alone in a process it ends by itself on order, with anything connected', async () => {
  const child = spawn(process.execPath, [entry, '{"seed":3}'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { httpUrl, http2Url } = JSON.parse(line.toString()) as { httpUrl: string; http2Url: string };
    await fetch(`${httpUrl}/images/0`);
    const hanging = fetch(`${httpUrl}/hang`);
    const session = connectHttp2(http2Url, { rejectUnauthorized: false });
    await once(session, 'connect');
    session.on('error', () => session.destroy());
    const sessionClosed = new Promise((resolve) => session.once('close', resolve));

    const ended = Promise.all([once(child, 'exit'), sessionClosed, expect(hanging).rejects.toThrow()]);
    child.kill('SIGTERM');
    const [exit] = await ended;
    expect(exit).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('alone in a process it says what is wrong with its options', async () => {
  const child = spawn(process.execPath, [entry, 'seed=3'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [[message], [code]] = (await Promise.all([once(child.stderr, 'data'), once(child, 'exit')])) as [
    [Buffer],
    [number],
  ];
  expect(message.toString()).toMatch(/options must be JSON/);
  expect(code).toBe(1);
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { expect, it } from 'vitest';
import { PictureUploader, PictureSpool } from '#agent/spool/picture-uploader.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const log = pino({ level: 'silent' });
const jpeg = Buffer.from('a picture');

async function keep(spool: PictureSpool, contents: Uint8Array): Promise<string> {
  return (await spool.keep(contents)).sha256;
}

it('keeps equal pictures once, over a restart, until they are forgotten', async () => {
  await using folder = await makeTemporaryFolder();
  const first = await keep(new PictureSpool(folder.path), jpeg);
  writeFileSync(path.join(folder.path, `${first}.jpg.unfinished`), 'the Agent was killed in it');
  const spool = new PictureSpool(folder.path);
  expect(await Promise.all([keep(spool, jpeg), keep(spool, jpeg)])).toEqual([first, first]);
  expect(spool.next()).toBe(first);
  expect(readFileSync(spool.fileOf(first))).toEqual(jpeg);
  spool.forget(first);
  expect(spool.next()).toBeNull();
});

it('uploads all that wait, drops what the Controller will never take, and keeps what failed', async () => {
  await using folder = await makeTemporaryFolder();
  const spool = new PictureSpool(folder.path);
  const hashes = await Promise.all(['one', 'two', 'three'].map((text) => keep(spool, Buffer.from(text))));
  const asked: string[] = [];
  const failed = Promise.withResolvers<void>();
  const upload = (sha256: string) => {
    asked.push(sha256);
    if (asked.length === 2) return Promise.resolve('it is too large');
    if (asked.length < 3) return Promise.resolve(null);
    failed.resolve();
    return Promise.reject(new Error('the Controller is away'));
  };
  new PictureUploader(spool, { upload, mustWait: () => false, log }).uploadAll();
  await failed.promise;
  expect(new Set(asked)).toEqual(new Set(hashes));
  expect(spool.next()).toBe(asked[2]);
});

it('uploads nothing while this host measures, and breaks off when it begins to', async () => {
  await using folder = await makeTemporaryFolder();
  const spool = new PictureSpool(folder.path);
  const sha256 = await keep(spool, jpeg);
  let isMeasuring = true;
  const begun = Promise.withResolvers<AbortSignal>();
  const upload = (_: string, signal: AbortSignal) => {
    begun.resolve(signal);
    return new Promise<null>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  };
  const uploader = new PictureUploader(spool, {
    upload: (hash, signal) =>
      isMeasuring ? Promise.reject(new Error('a measurement is disturbed')) : upload(hash, signal),
    mustWait: () => isMeasuring,
    log,
  });
  uploader.uploadAll();
  isMeasuring = false;
  uploader.uploadAll();
  const signal = await begun.promise;
  uploader.pause();
  expect(signal.aborted).toBe(true);
  expect(spool.next()).toBe(sha256);
});

import { createReadStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#core/app-error.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { writeHarOfSite } from '#site/export-har.ts';
import { mostHarWithBodiesBytes, readSiteOfHar } from '#site/import-har.ts';
import { openSite } from '#site/open-site.ts';
import { writeSite } from '#site/write-site.ts';
import { openNew, refuseExisting } from '../new-file.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { printSite } from './show-site.ts';

/** Makes a recording of a HAR with bodies. Throws `invalid-input`. */
export async function importHar(
  file: string,
  { to, keepSecrets = false, json }: { to: string; keepSecrets?: boolean; json?: true },
): Promise<void> {
  using interrupts = watchInterrupts();
  await refuseExisting(to);
  const { recorded, leftOut, withoutBody, cutShort } = readSiteOfHar(await readHarFile(file), path.basename(file));
  const site = await writeSite(to, recorded, {
    keepsSecrets: keepSecrets,
    nowEpochMs: epochClock(),
    signal: interrupts.signal,
  });
  const missing = [
    leftOut > 0 &&
      `${leftOut} requests were left out: they have no answer, are for a tunnel, or are more than a Site can hold`,
    withoutBody > 0 && `${withoutBody} answers have no body in the HAR, and none here: record with an empty cache`,
    cutShort > 0 &&
      `${cutShort} answers have a part of their body in the HAR, and here: Firefox keeps 1 MiB of each, unless devtools.netmonitor.responseBodyLimit is 0`,
  ].filter((each) => each !== false);
  if (missing.length > 0) process.stderr.write(`${missing.join('\n')}\n`);
  printSite(site, { ...(json && { json }) });
}

/** Writes a recording as HAR. Throws `invalid-input`; then there is no file. */
export async function exportHar(file: string, { to }: { to: string }): Promise<void> {
  using interrupts = watchInterrupts();
  await refuseExisting(to);
  await using opened = await openSite(file);
  const part = `${to}.part`;
  try {
    await using handle = await openNew(part);
    await pipeline(Readable.from(writeHarOfSite(opened)), handle.createWriteStream(), {
      signal: interrupts.signal,
    });
    await refuseExisting(to);
    await rename(part, to);
  } catch (cause) {
    await rm(part, { force: true });
    interrupts.signal.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid-input', `${to} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

async function readHarFile(file: string): Promise<Buffer> {
  try {
    if ((await stat(file)).size <= mostHarWithBodiesBytes)
      return await buffer(createReadStream(file, { end: mostHarWithBodiesBytes }));
  } catch (cause) {
    throw new AppError('invalid-input', `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  throw new AppError(
    'invalid-input',
    `${file} has more than ${mostHarWithBodiesBytes / 1024 ** 2} MiB: save fewer pages`,
  );
}

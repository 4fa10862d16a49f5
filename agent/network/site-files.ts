import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { request } from 'undici';
import { AppError } from '#core/app-error.ts';
import type { SiteReplay } from '#core/protocol/site-replay.ts';
import type { NetworkOrder } from './apply-to-testbed.ts';

/** Of all files together. */
const defaultMostBytes = 10 * 2 ** 30;

interface Source {
  controllerUrl: string;
  token: string;
  signal: AbortSignal;
}

/** The files of Sites that this Agent has fetched, by their hashes. */
export class SiteFiles {
  readonly #folder: string;
  readonly #mostBytes: number;

  /** `mostBytes`: of all files together. Those used last stay, and those of one order always do. */
  constructor(folder: string, { mostBytes = defaultMostBytes }: { mostBytes?: number } = {}) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** Fetches what is not here yet. Throws `not-found` where the Controller has no such file, or another under the name. */
  async fetchAll({ sites, thinkTimeFactor }: SiteReplay, source: Source): Promise<NonNullable<NetworkOrder['replay']>> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const files = [];
    for (const site of sites) files.push({ file: await this.#fetch(site, source), pages: site.pages });
    await this.#removeOldest(new Set(files.map(({ file }) => file)));
    return { sites: files, thinkTimeFactor };
  }

  async #fetch({ name, sha256 }: SiteReplay['sites'][number], source: Source): Promise<string> {
    const file = path.join(this.#folder, `${sha256}.wacz`);
    const now = new Date();
    const isHere = await utimes(file, now, now).then(
      () => true,
      () => false,
    );
    if (isHere) return file;
    const part = `${file}.part`;
    try {
      const found = await download(name, { ...source, to: part });
      if (found !== sha256)
        throw new AppError(
          'not-found',
          `The Site "${name}" has another file by now: save the Evaluation again, and it loads the new one`,
        );
      await rename(part, file);
    } finally {
      await rm(part, { force: true });
    }
    return file;
  }

  async #removeOldest(needed: ReadonlySet<string>): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.#folder)).map(async (entry) => {
        const file = path.join(this.#folder, entry);
        const { size, mtimeMs } = await stat(file);
        return { file, size, mtimeMs };
      }),
    );
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (bytes <= this.#mostBytes) return;
      if (needed.has(file)) continue;
      await rm(file, { force: true });
      bytes -= size;
    }
  }
}

/** Returns the hash of what came. */
async function download(name: string, { controllerUrl, token, signal, to }: Source & { to: string }): Promise<string> {
  const base = controllerUrl.endsWith('/') ? controllerUrl : `${controllerUrl}/`;
  const { statusCode, body } = await request(new URL(`api/sites/${encodeURIComponent(name)}/file`, base), {
    headers: { authorization: `Bearer ${token}` },
    signal,
  });
  if (statusCode !== 200)
    throw new AppError(
      'not-found',
      `The Controller does not give the Site "${name}" (HTTP status ${statusCode}): ${(await body.text()).slice(0, 1000)}`,
    );
  const hash = createHash('sha256');
  await pipeline(
    body,
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        hash.update(part);
        yield part;
      }
    },
    createWriteStream(to, { mode: 0o600 }),
    { signal },
  );
  return hash.digest('hex');
}

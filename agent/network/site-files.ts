import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { request } from 'undici';
import { AppError } from '#core/app-error.ts';
import { mostSiteFileBytes } from '#core/site/site.ts';
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
  readonly #mostFileBytes: number;
  /** By hash. A Controller that waits no longer for one orders it again. */
  readonly #fetching = new Map<string, Promise<string>>();

  /** `mostBytes`: of all files together. Those used last stay, and those of one order always do. `mostFileBytes`: of one; as much as a Site can have when left out. */
  constructor(
    folder: string,
    {
      mostBytes = defaultMostBytes,
      mostFileBytes = mostSiteFileBytes,
    }: { mostBytes?: number; mostFileBytes?: number } = {},
  ) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    this.#mostFileBytes = mostFileBytes;
  }

  /** Fetches what is not here yet. Throws `not-found` where the Controller has no such file, or another under the name. */
  async fetchAll({ sites, thinkTimeFactor }: SiteReplay, source: Source): Promise<NonNullable<NetworkOrder['replay']>> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const files = [];
    for (const site of sites) files.push({ file: await this.#fetch(site, source), pages: site.pages });
    await this.#removeOldest(new Set(files.map(({ file }) => file)));
    return { sites: files, thinkTimeFactor };
  }

  #fetch(site: SiteReplay['sites'][number], source: Source): Promise<string> {
    const known = this.#fetching.get(site.sha256);
    if (known) return known;
    const fetching = this.#fetchNow(site, source).finally(() => this.#fetching.delete(site.sha256));
    this.#fetching.set(site.sha256, fetching);
    return fetching;
  }

  async #fetchNow({ name, sha256 }: SiteReplay['sites'][number], source: Source): Promise<string> {
    const file = path.join(this.#folder, `${sha256}.wacz`);
    const now = new Date();
    const isHere = await utimes(file, now, now).then(
      () => true,
      () => false,
    );
    if (isHere) return file;
    const part = `${file}.part`;
    try {
      const found = await download(name, { ...source, to: part, mostBytes: this.#mostFileBytes });
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
async function download(
  name: string,
  { controllerUrl, token, signal, to, mostBytes }: Source & { to: string; mostBytes: number },
): Promise<string> {
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
  // Opened before anything can fail: a stream that is given up while it opens its file makes it all the same, after it was removed.
  await using handle = await open(to, 'w', 0o600);
  await pipeline(
    body,
    async function* (parts: AsyncIterable<Buffer>) {
      let bytes = 0;
      for await (const part of parts) {
        bytes += part.length;
        if (bytes > mostBytes)
          throw new AppError('too-large', `The Controller sends more for the Site "${name}" than a Site can have`);
        hash.update(part);
        yield part;
      }
    },
    handle.createWriteStream(),
    { signal },
  );
  return hash.digest('hex');
}

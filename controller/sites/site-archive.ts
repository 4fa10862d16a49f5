import path from 'node:path';
import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import type { ListedSite } from '#core/protocol/api/stored-site.ts';
import { mostSiteBytes, type Site } from '#core/site/site.ts';
import { checkBodies, openSite, type OpenSite } from '#site/open-site.ts';
import { mostIndexBytes } from '#site/write-site.ts';
import { removedMeanwhile } from '../captures/artefacts/artefact-errors.ts';
import type { ArtefactPlace, ArtefactStore } from '../captures/artefacts/artefact-store.ts';
import { inTransaction } from '../database/transaction.ts';
import { deleteSite, isSiteFile, lockSiteFile, needSite, prepareSite, requireNewSite, storeSite } from './sites.ts';

/** Bodies need not be compressible, and the rest is smaller than that. */
const defaultMaximumBytes = mostSiteBytes + 2 * mostIndexBytes;

/** The Sites of this database and their files, which stay until they are deleted. */
export class SiteArchive {
  readonly files: ArtefactStore;
  readonly #pool: Pool;
  readonly #maximumBytes: number;

  /** `maximumBytes`: of one file; as much as a recording can have when left out. */
  constructor(
    place: Pick<ArtefactPlace, 'sites'>,
    { pool, maximumBytes = defaultMaximumBytes }: { pool: Pool; maximumBytes?: number },
  ) {
    this.files = place.sites;
    this.#pool = pool;
    this.#maximumBytes = maximumBytes;
  }

  /**
   * Stores a recording: the whole file and its index, or nothing. `name`: the recording's title when null. Throws `too-large`, `invalid-input` for what is no
   * recording, and `conflict` where another Site has the name or the file.
   */
  async receive(
    contents: AsyncIterable<Buffer>,
    { name: given, uploadedBy, signal }: { name: string | null; uploadedBy: string; signal: AbortSignal },
  ): Promise<ListedSite> {
    if (given !== null) await requireNewSite(this.#pool, { name: given, sha256: null }); // before anything comes
    let name = '';
    let prepared: Awaited<ReturnType<typeof prepareSite>> | null = null;
    const { sha256, bytes } = await this.files.add(contents, {
      maximumBytes: this.#maximumBytes,
      check: async (file, found) => {
        await using opened = await openWhole(file, signal);
        name = given ?? nameAfter(opened.site);
        await requireNewSite(this.#pool, { name, sha256: found.sha256 });
        prepared = await prepareSite(opened.site);
      },
    });
    try {
      return await inTransaction(this.#pool, async (client) => {
        await lockSiteFile(client, sha256);
        await requireNewSite(client, { name, sha256 });
        const stored = await storeSite(client, { name, sha256, bytes, ...prepared!, uploadedBy });
        if ((await this.files.sizeOf(sha256)) === null) throw removedMeanwhile(sha256);
        return stored;
      });
    } catch (error) {
      await this.#removeUnnamed(sha256);
      throw error;
    }
  }

  /** Deletes a Site and its file. Throws `not-found`, and `conflict` while a Run that has not ended uses it. */
  async remove(idOrName: string): Promise<ListedSite> {
    const site = await needSite(this.#pool, idOrName);
    await deleteSite(this.#pool, site);
    await this.#removeUnnamed(site.sha256);
    return site;
  }

  async #removeUnnamed(sha256: string): Promise<void> {
    await inTransaction(this.#pool, async (client) => {
      await lockSiteFile(client, sha256);
      if (!(await isSiteFile(client, sha256))) await this.files.remove(sha256);
    });
  }
}

/** Reads all of it. Throws `invalid-input` where it is no whole recording, which has no name of its own while it comes. */
async function openWhole(file: string, signal: AbortSignal): Promise<OpenSite> {
  try {
    await using stack = new AsyncDisposableStack();
    const opened = stack.use(await openSite(file));
    await checkBodies(opened, signal);
    stack.move();
    return opened;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.message.replaceAll(path.basename(file), 'the file').replace(/^the/, 'The');
    throw new AppError(error.code, message, { cause: error });
  }
}

/** A title may have more characters than a name, and others. Throws `invalid-input`. */
function nameAfter({ title }: Site): string {
  const { success, data } = NameSchema.safeParse(
    title
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 80),
  );
  if (!success)
    throw new AppError('invalid-input', 'The recording has no title to name the Site after: give it a name');
  return data;
}

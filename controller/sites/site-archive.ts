import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { SiteNameSchema, type ListedSite } from '#core/protocol/api/stored-site.ts';
import { mostSiteFileBytes } from '#core/site/site.ts';
import { removedMeanwhile, type ArtefactPlace, type ArtefactStore } from '../captures/artefacts/artefact-store.ts';
import { inTransaction } from '../database/transaction.ts';
import type { PreparedSite } from './site-index.ts';
import type { SiteReader } from './site-reader.ts';
import { deleteSite, isSiteFile, lockSiteFile, needSite, requireNewSite, storeSite } from './sites.ts';

/** The Sites of this database and their files, which stay until they are deleted. */
export class SiteArchive {
  readonly files: ArtefactStore;
  readonly #pool: Pool;
  readonly #reader: Pick<SiteReader, 'check'>;
  readonly #maximumBytes: number;
  /** Files of uploads that failed after they were stored. */
  readonly #unnamed = new Set<string>();

  /** `maximumBytes`: of one file; as much as a recording can have when left out. */
  constructor(
    place: Pick<ArtefactPlace, 'sites'>,
    {
      pool,
      reader,
      maximumBytes = mostSiteFileBytes,
    }: { pool: Pool; reader: Pick<SiteReader, 'check'>; maximumBytes?: number },
  ) {
    this.files = place.sites;
    this.#pool = pool;
    this.#reader = reader;
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
    let prepared: PreparedSite | null = null;
    const { sha256, bytes } = await this.files.add(contents, {
      maximumBytes: this.#maximumBytes,
      check: async (file, found) => {
        prepared = await this.#reader.check(file);
        signal.throwIfAborted();
        name = given ?? nameAfter(prepared);
        await requireNewSite(this.#pool, { name, sha256: found.sha256 });
      },
    });
    try {
      return await inTransaction(this.#pool, async (client) => {
        await lockSiteFile(client, sha256);
        const stored = await storeSite(client, { name, sha256, bytes, ...prepared!, uploadedBy });
        if ((await this.files.sizeOf(sha256)) === null) throw removedMeanwhile(sha256);
        return stored;
      });
    } catch (error) {
      this.#unnamed.add(sha256);
      await this.removeUnnamed().catch(() => undefined); // the next sweep tries it again
      throw error;
    }
  }

  /** Deletes a Site and its file, or nothing. Throws `not-found`, and `conflict` while a Run that has not ended uses it. */
  async remove(idOrName: string): Promise<ListedSite> {
    const site = await needSite(this.#pool, idOrName);
    await inTransaction(this.#pool, async (client) => {
      await lockSiteFile(client, site.sha256);
      await deleteSite(client, site);
      await this.files.remove(site.sha256);
    });
    return site;
  }

  /** Removes files that uploads stored before they failed, where no Site has them by now. What fails stays for the next time. */
  async removeUnnamed(): Promise<void> {
    for (const sha256 of this.#unnamed) {
      await inTransaction(this.#pool, async (client) => {
        await lockSiteFile(client, sha256);
        if (!(await isSiteFile(client, sha256))) await this.files.remove(sha256);
      });
      this.#unnamed.delete(sha256);
    }
  }
}

/** A title may have more characters than a name, and others. Throws `invalid-input`. */
function nameAfter({ title }: PreparedSite): string {
  const { success, data } = SiteNameSchema.safeParse(
    title
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 80),
  );
  if (!success)
    throw new AppError('invalid-input', 'The recording has no title that can be the name of a Site: give it a name');
  return data;
}

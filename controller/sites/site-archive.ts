import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import type { SiteSummary } from '#core/protocol/api/stored-site.ts';
import type { Site } from '#core/site/site.ts';
import { openSite } from '#site/open-site.ts';
import { removedMeanwhile } from '../captures/artefacts/artefact-errors.ts';
import type { ArtefactPlace, ArtefactStore } from '../captures/artefacts/artefact-store.ts';
import { inTransaction } from '../database/transaction.ts';
import { deleteSite, isSiteFile, lockSiteFile, needSite, prepareSite, requireNewSite, storeSite } from './sites.ts';

const defaultMaximumBytes = 1024 ** 3;

/** The Sites of this database and their files, which stay until they are deleted. */
export class SiteArchive {
  readonly files: ArtefactStore;
  readonly #pool: Pool;
  readonly #maximumBytes: number;

  /** `maximumBytes`: of one file, 1 GiB when left out. */
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
    { name: given, uploadedBy }: { name: string | null; uploadedBy: string },
  ): Promise<SiteSummary> {
    if (given !== null) await requireNewSite(this.#pool, { name: given, sha256: null }); // before anything comes
    let name = '';
    let prepared: Awaited<ReturnType<typeof prepareSite>> | null = null;
    const { sha256, bytes } = await this.files.add(contents, {
      maximumBytes: this.#maximumBytes,
      check: async (file, found) => {
        await using opened = await openSite(file);
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
  async remove(idOrName: string): Promise<SiteSummary> {
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

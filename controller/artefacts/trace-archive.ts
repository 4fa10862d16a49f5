import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { giveUpTraces } from '../db/captures.ts';
import {
  findOtherStore,
  forgetUnclaimedTrace,
  noteUnclaimedTrace,
  sumUnclaimedTraces,
  takeUnclaimedTraces,
} from '../db/unclaimed-traces.ts';
import { ArtefactStore } from './artefact-store.ts';
import { readStoreId } from './store-id.ts';

interface ArchiveOptions {
  pool: Pool;
  /** Of all traces together, and so of one too. */
  maximumBytes: number;
}

/** Of one token, whether on their way or waiting for their Capture: an Agent uploads a trace and then its Capture, and Agents may share a token. */
const mostUnclaimedFiles = 1000;

/** The traces of all Runs in this folder: the newest, as many as there is room for. Other Controllers on the same database may have folders of their own. */
export class TraceArchive {
  readonly files: ArtefactStore;
  readonly maximumBytes: number;
  readonly #options: ArchiveOptions;
  /** By token: what is on its way. */
  readonly #incoming = new Map<string, { files: number; bytes: number }>();
  readonly #folder: string;
  #storeId: Promise<string> | null = null;

  constructor(folder: string, options: ArchiveOptions) {
    this.files = new ArtefactStore(folder, options);
    this.maximumBytes = options.maximumBytes;
    this.#options = options;
    this.#folder = folder;
  }

  /**
   * Stores a trace whose Capture comes later, if ever. Throws as `ArtefactStore.receive` does, and `too-many-uploads` where this token has uploaded more
   * without a Capture that names them than one Agent needs: more files than a thousand, or more bytes than all traces may have.
   */
  async receive(
    { sha256, tokenId }: { sha256: string; tokenId: string },
    contents: AsyncIterable<Buffer>,
  ): Promise<void> {
    const { pool, maximumBytes } = this.#options;
    const incoming = this.#incoming.get(tokenId) ?? { files: 0, bytes: 0 };
    this.#incoming.set(tokenId, incoming);
    incoming.files++;
    let bytes = 0;
    try {
      const { others: unclaimed } = await sumUnclaimedTraces(pool, { tokenId, sha256 });
      if (unclaimed.files + incoming.files > mostUnclaimedFiles) throw tooManyUploads(`${mostUnclaimedFiles} traces`);
      const store = await this.#ownStore();
      await noteUnclaimedTrace(pool, { sha256, store, tokenId, bytes: null });
      const count = async function* () {
        for await (const chunk of contents) {
          bytes += chunk.length;
          incoming.bytes += chunk.length;
          // One that is too large on its own is refused as such.
          if (bytes <= maximumBytes && unclaimed.bytes + incoming.bytes > maximumBytes)
            throw tooManyUploads(`${maximumBytes} bytes of traces`);
          yield chunk;
        }
      };
      await noteUnclaimedTrace(pool, { sha256, store, tokenId, bytes: await this.files.receive(sha256, count()) });
      await this.#removeIfTooMuch({ sha256, tokenId });
    } finally {
      incoming.files--;
      incoming.bytes -= bytes;
      if (incoming.files === 0) this.#incoming.delete(tokenId);
    }
  }

  /** Uploads beside each other do not see all of each other while they come. */
  async #removeIfTooMuch({ sha256, tokenId }: { sha256: string; tokenId: string }): Promise<void> {
    const { pool, maximumBytes } = this.#options;
    const { all, others } = await sumUnclaimedTraces(pool, { tokenId, sha256 });
    // The same number: a Capture keeps it already. Both are of one moment: an upload that ended between them would look the same.
    if (all.bytes <= maximumBytes || all.files === others.files) return;
    await this.files.remove(sha256);
    await forgetUnclaimedTrace(pool, { sha256, store: await this.#ownStore() });
    throw tooManyUploads(`${maximumBytes} bytes of traces`);
  }

  /** The id of the folder that holds a trace, this one or that of another Controller, and its size as counted there; null when none has all of it. */
  async findStore(sha256: string): Promise<{ store: string; bytes: number } | null> {
    const store = await this.#ownStore();
    const bytes = await this.files.sizeOf(sha256);
    return bytes === null ? findOtherStore(this.#options.pool, { sha256, store }) : { store, bytes };
  }

  /** Removes the oldest until the rest is within the limit. */
  async makeRoom(): Promise<void> {
    const store = await this.#ownStore();
    for (const sha256 of await giveUpTraces(this.#options.pool, { store, maximumBytes: this.maximumBytes }))
      await this.files.remove(sha256);
  }

  /** Makes room, and removes what no Capture keeps and nobody has written to for that long: the rest of uploads that broke off, traces whose Capture never came. */
  async sweep({ nowEpochMs, minimumAgeMs }: { nowEpochMs: number; minimumAgeMs: number }): Promise<void> {
    await this.makeRoom();
    const beforeEpochMs = nowEpochMs - minimumAgeMs;
    await this.files.removeIncomingBefore(beforeEpochMs);
    for (const sha256 of await takeUnclaimedTraces(this.#options.pool, { store: await this.#ownStore(), minimumAgeMs }))
      await this.files.removeWrittenBefore(sha256, beforeEpochMs);
  }

  /** A folder that cannot be read now is asked again. */
  #ownStore(): Promise<string> {
    return (this.#storeId ??= readStoreId(this.#folder).catch((error: unknown) => {
      this.#storeId = null;
      throw error;
    }));
  }
}

function tooManyUploads(what: string): AppError {
  return new AppError(
    'too-many-uploads',
    `This token uploaded more than ${what} without a Capture that names them: they are removed after a day, then try again`,
  );
}

import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { giveUpTraces } from '../captures.ts';
import { inTransaction } from '../../database/transaction.ts';
import {
  expireUnclaimedTrace,
  expireUnclaimedTraces,
  findOtherStore,
  noteUnclaimedTrace,
  sumUnclaimedTraces,
  takeUnclaimedTrace,
} from '../unclaimed-traces.ts';
import { removedMeanwhile, type ArtefactPlace, type ArtefactStore } from './artefact-store.ts';

interface ArchiveOptions {
  pool: Pool;
  /** Of all traces together, and so of one too. */
  maximumBytes: number;
}

/** Of one token, whether on their way or waiting for their Capture: an Agent uploads a trace and then its Capture, and Agents may share a token. */
const mostUnclaimedFiles = 1000;

/**
 * The traces of all Runs in this place: the newest, as many as there is room for. Other Controllers on the same database may use the same place, or have one of their own. What is
 * removed is decided in the database: a file goes in the transaction that takes out its note, and what names a file looks for it after its own note is stored.
 */
export class TraceArchive {
  readonly files: ArtefactStore;
  readonly maximumBytes: number;
  readonly #pool: Pool;
  readonly #place: ArtefactPlace;
  /** By token: what is on its way. */
  readonly #incoming = new Map<string, { files: number; bytes: number }>();
  #removing: Promise<void> = Promise.resolve();

  constructor(place: ArtefactPlace, { pool, maximumBytes }: ArchiveOptions) {
    this.files = place.traces;
    this.maximumBytes = maximumBytes;
    this.#pool = pool;
    this.#place = place;
  }

  /**
   * Stores a trace whose Capture comes later, if ever. Throws as `ArtefactStore.receive` does, and `too-many-uploads` where this token has uploaded more
   * without a Capture that names them than one Agent needs: more files than a thousand, or more bytes than all traces may have.
   */
  async receive(
    { sha256, tokenId }: { sha256: string; tokenId: string },
    contents: AsyncIterable<Buffer>,
  ): Promise<void> {
    const pool = this.#pool;
    const { maximumBytes } = this;
    const incoming = this.#incoming.get(tokenId) ?? { files: 0, bytes: 0 };
    this.#incoming.set(tokenId, incoming);
    incoming.files++;
    let bytes = 0;
    try {
      const { others: unclaimed } = await sumUnclaimedTraces(pool, { tokenId, sha256 });
      if (unclaimed.files + incoming.files > mostUnclaimedFiles) throw tooManyUploads(`${mostUnclaimedFiles} traces`);
      const store = await this.#place.readId();
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
      const stored = await this.files.receive(sha256, count(), { maximumBytes });
      await noteUnclaimedTrace(pool, { sha256, store, tokenId, bytes: stored });
      if ((await this.files.sizeOf(sha256)) === null) throw removedMeanwhile(sha256);
      await this.#removeIfTooMuch({ sha256, store, tokenId });
    } finally {
      incoming.files--;
      incoming.bytes -= bytes;
      if (incoming.files === 0) this.#incoming.delete(tokenId);
    }
  }

  /** Uploads beside each other do not see all of each other while they come. */
  async #removeIfTooMuch(upload: { sha256: string; store: string; tokenId: string }): Promise<void> {
    const { maximumBytes } = this;
    const { all, others } = await sumUnclaimedTraces(this.#pool, upload);
    // The same number: a Capture keeps it already. Both are of one moment: an upload that ended between them would look the same.
    if (all.bytes <= maximumBytes || all.files === others.files) return;
    await expireUnclaimedTrace(this.#pool, upload);
    await this.removeUnclaimed();
    throw tooManyUploads(`${maximumBytes} bytes of traces`);
  }

  /** The id of the place that holds a trace, this one or that of another Controller, and its size as counted there; null when none has all of it. */
  async findStore(sha256: string): Promise<{ store: string; bytes: number } | null> {
    const store = await this.#place.readId();
    const bytes = await this.files.sizeOf(sha256);
    return bytes === null ? findOtherStore(this.#pool, { sha256, store }) : { store, bytes };
  }

  /** Removes the oldest until the rest is within the limit. */
  async makeRoom(signal?: AbortSignal): Promise<void> {
    const store = await this.#place.readId();
    if (await giveUpTraces(this.#pool, { store, maximumBytes: this.maximumBytes })) await this.removeUnclaimed(signal);
  }

  /** Removes what no Capture keeps and nobody waits for, one after the other. What fails stays for the next time. */
  removeUnclaimed(signal?: AbortSignal): Promise<void> {
    const remove = () => this.#removeAll(signal);
    return (this.#removing = this.#removing.then(remove, remove));
  }

  async #removeAll(signal?: AbortSignal): Promise<void> {
    const store = await this.#place.readId();
    const removeOne = () =>
      inTransaction(this.#pool, async (client) => {
        const taken = await takeUnclaimedTrace(client, store);
        if (taken && !taken.isKept) await this.files.remove(taken.sha256);
        return taken !== null;
      });
    while (!signal?.aborted && (await removeOne()));
  }

  /** Makes room, and removes what no Capture keeps and nobody has uploaded for that long: the rest of uploads that broke off, traces whose Capture never came. */
  async sweep({
    nowEpochMs,
    minimumAgeMs,
    signal,
  }: {
    nowEpochMs: number;
    minimumAgeMs: number;
    signal?: AbortSignal;
  }): Promise<void> {
    const store = await this.#place.readId();
    await giveUpTraces(this.#pool, { store, maximumBytes: this.maximumBytes });
    await expireUnclaimedTraces(this.#pool, { store, minimumAgeMs });
    await this.removeUnclaimed(signal);
    await this.files.removeIncomingBefore(nowEpochMs - minimumAgeMs);
  }
}

function tooManyUploads(what: string): AppError {
  return new AppError(
    'too-many-uploads',
    `This token uploaded more than ${what} without a Capture that names them: they are removed after a day, then try again`,
  );
}

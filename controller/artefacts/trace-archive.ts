import type { Pool } from 'pg';
import { giveUpTraces } from '../db/captures.ts';
import { findOtherStore, noteUnclaimedTrace, takeUnclaimedTraces } from '../db/unclaimed-traces.ts';
import { ArtefactStore } from './artefact-store.ts';
import { readStoreId } from './store-id.ts';

interface ArchiveOptions {
  pool: Pool;
  /** Of all traces together, and so of one too. */
  maximumBytes: number;
}

/** The traces of all Runs in this folder: the newest, as many as there is room for. Other Controllers on the same database may have folders of their own. */
export class TraceArchive {
  readonly files: ArtefactStore;
  readonly maximumBytes: number;
  private readonly options: ArchiveOptions;
  private readonly folder: string;
  private storeId: Promise<string> | null = null;

  constructor(folder: string, options: ArchiveOptions) {
    this.files = new ArtefactStore(folder, options);
    this.maximumBytes = options.maximumBytes;
    this.options = options;
    this.folder = folder;
  }

  /** Stores a trace whose Capture is told of later, if ever. Throws as `ArtefactStore.receive` does. */
  async receive(sha256: string, contents: AsyncIterable<Buffer>): Promise<void> {
    await noteUnclaimedTrace(this.options.pool, { sha256, store: await this.ownStore() });
    await this.files.receive(sha256, contents);
  }

  /** The id of the folder that holds a trace: this one, or that of another Controller; null when nobody was given it. */
  async findStore(sha256: string): Promise<string | null> {
    const store = await this.ownStore();
    return (await this.files.has(sha256)) ? store : findOtherStore(this.options.pool, { sha256, store });
  }

  /** Removes the oldest until the rest is within the limit. */
  async makeRoom(): Promise<void> {
    const store = await this.ownStore();
    for (const sha256 of await giveUpTraces(this.options.pool, { store, maximumBytes: this.maximumBytes })) await this.files.remove(sha256);
  }

  /** Makes room, and removes what no Capture keeps and nobody has written to for that long: the rest of uploads that broke off, traces whose Capture never came. */
  async sweep({ nowEpochMs, minimumAgeMs }: { nowEpochMs: number; minimumAgeMs: number }): Promise<void> {
    await this.makeRoom();
    const beforeEpochMs = nowEpochMs - minimumAgeMs;
    await this.files.removeIncomingBefore(beforeEpochMs);
    for (const sha256 of await takeUnclaimedTraces(this.options.pool, { store: await this.ownStore(), minimumAgeMs })) await this.files.removeWrittenBefore(sha256, beforeEpochMs);
  }

  /** A folder that cannot be read now is asked again. */
  private ownStore(): Promise<string> {
    return (this.storeId ??= readStoreId(this.folder).catch((error: unknown) => {
      this.storeId = null;
      throw error;
    }));
  }
}

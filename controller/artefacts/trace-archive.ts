import type { Pool } from 'pg';
import { giveUpTraces } from '../db/captures.ts';
import { noteUnclaimedTrace, takeUnclaimedTraces } from '../db/unclaimed-traces.ts';
import { ArtefactStore } from './artefact-store.ts';

interface ArchiveOptions {
  pool: Pool;
  /** Of all traces together, and so of one too. */
  maximumBytes: number;
}

/** The traces of all Runs: the newest, as many as there is room for. */
export class TraceArchive {
  readonly files: ArtefactStore;
  readonly maximumBytes: number;
  private readonly options: ArchiveOptions;

  constructor(folder: string, options: ArchiveOptions) {
    this.files = new ArtefactStore(folder, options);
    this.maximumBytes = options.maximumBytes;
    this.options = options;
  }

  /** Stores a trace whose Capture is told of later, if ever. Throws as `ArtefactStore.receive` does. */
  async receive(sha256: string, contents: AsyncIterable<Buffer>): Promise<void> {
    await noteUnclaimedTrace(this.options.pool, sha256);
    await this.files.receive(sha256, contents);
  }

  /** Removes the oldest until the rest is within the limit. */
  async makeRoom(): Promise<void> {
    for (const sha256 of await giveUpTraces(this.options.pool, this.maximumBytes)) await this.files.remove(sha256);
  }

  /** Makes room, and removes what no Capture keeps and nobody has written to for that long: the rest of uploads that broke off, traces whose Capture never came. */
  async sweep({ nowEpochMs, minimumAgeMs }: { nowEpochMs: number; minimumAgeMs: number }): Promise<void> {
    await this.makeRoom();
    const beforeEpochMs = nowEpochMs - minimumAgeMs;
    await this.files.removeIncomingBefore(beforeEpochMs);
    for (const sha256 of await takeUnclaimedTraces(this.options.pool, minimumAgeMs)) await this.files.removeWrittenBefore(sha256, beforeEpochMs);
  }
}

import type { Queryable } from '../db/queryable.ts';
import { giveUpTraces } from '../db/captures.ts';
import { ArtefactStore } from './artefact-store.ts';

/** The traces of all Runs: the newest, as many as there is room for. */
export class TraceArchive {
  readonly files: ArtefactStore;
  private readonly maximumBytes: number;

  /** `maximumBytes`: of all together, and so of one too. */
  constructor(folder: string, { maximumBytes }: { maximumBytes: number }) {
    this.files = new ArtefactStore(folder, { maximumBytes });
    this.maximumBytes = maximumBytes;
  }

  async makeRoom(db: Queryable): Promise<void> {
    for (const sha256 of await giveUpTraces(db, this.maximumBytes)) await this.files.remove(sha256);
  }
}

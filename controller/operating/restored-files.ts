import type { ArtefactKind, ArtefactPlace, ArtefactStore } from '../captures/artefacts/artefact-store.ts';
import type { TarEntry } from './tar.ts';

interface Kind {
  store: ArtefactStore;
  /** The hashes of the files that were there. */
  former: ReadonlySet<string>;
  restored: Set<string>;
}

/**
 * The files of a backup, stored beside those that a place has. Names are hashes of contents, so neither is in the way of the other. `keep` removes the former
 * files in the end, and `undo` the restored ones.
 */
export class RestoredFiles {
  readonly #place: ArtefactPlace;
  readonly #kinds: Record<ArtefactKind, Kind>;
  #formerId: string | null = null;

  static async beside(place: ArtefactPlace): Promise<RestoredFiles> {
    const { traces, pictures, sites } = place;
    return new RestoredFiles(place, {
      traces: await open(traces),
      pictures: await open(pictures),
      sites: await open(sites),
    });
  }

  private constructor(place: ArtefactPlace, kinds: Record<ArtefactKind, Kind>) {
    this.#place = place;
    this.#kinds = kinds;
  }

  /** The id of a place alone is nothing to lose. */
  get hadFiles(): boolean {
    return Object.values(this.#kinds).some(({ former }) => former.size > 0);
  }

  /** Throws `invalid-input` where the contents have another hash. */
  async receive(kind: ArtefactKind, sha256: string, { size, contents }: TarEntry): Promise<void> {
    const { store, restored } = this.#kinds[kind];
    await store.receive(sha256, contents, { maximumBytes: size });
    restored.add(sha256);
  }

  /** Gives the place the id by which the database of the backup knows it. */
  async writeId(id: string): Promise<void> {
    this.#formerId = await this.#place.readId();
    await this.#place.writeId(id);
  }

  /** Removes what was there before and is not in the backup. */
  async keep(): Promise<void> {
    for (const { store, former, restored } of Object.values(this.#kinds))
      for (const sha256 of former) if (!restored.has(sha256)) await store.remove(sha256);
  }

  /** Removes what came, and leaves what was there. */
  async undo(): Promise<void> {
    if (this.#formerId !== null) await this.#place.writeId(this.#formerId);
    for (const { store, former, restored } of Object.values(this.#kinds))
      for (const sha256 of restored) if (!former.has(sha256)) await store.remove(sha256);
  }
}

async function open(store: ArtefactStore): Promise<Kind> {
  const former = new Set<string>();
  for await (const sha256 of store.list()) former.add(sha256);
  return { store, former, restored: new Set() };
}

import type { Readable } from 'node:stream';
import { AppError } from '#core/app-error.ts';

/** A stored file that is open. Disposing of it ends what reads it. */
export interface StoredFile extends AsyncDisposable {
  bytes: number;
  /** Once. */
  read(): Readable;
}

/** A file whose hash was not known before it came. */
export interface AddedFile {
  sha256: string;
  bytes: number;
}

export interface AddOptions {
  maximumBytes: number;
  check: (file: string, found: AddedFile) => Promise<void>;
}

/** Files by the SHA-256 of their contents, which is all that their names are made of. Several Controllers may use it at the same time. */
export interface ArtefactStore {
  /**
   * Stores what comes, or nothing when it breaks off. Throws `too-large`, and `invalid-input` when the contents have another hash; one that
   * is there already is stored again. Returns how many bytes came.
   */
  receive(sha256: string, contents: AsyncIterable<Buffer>, limits: { maximumBytes: number }): Promise<number>;
  /** Stores what comes under the hash that it turns out to have. `check` gets the path of the whole file before it is stored; what it throws is thrown, and nothing is stored. */
  add(contents: AsyncIterable<Buffer>, options: AddOptions): Promise<AddedFile>;
  /** How many bytes it has; null when it is not there. */
  sizeOf(sha256: string): Promise<number | null>;
  /** Null when it is not there. The caller disposes of it. */
  open(sha256: string): Promise<StoredFile | null>;
  remove(sha256: string): Promise<void>;
  /** The hashes of all files. */
  list(): AsyncIterable<string>;
  /** Removes what uploads left behind when their Controller was killed: what nobody has written to since. */
  removeIncomingBefore(epochMs: number): Promise<void>;
}

export type ArtefactKind = 'traces' | 'pictures' | 'sites';

/** Where traces, pictures and Sites are kept: a folder, or a part of a bucket. */
export interface ArtefactPlace extends Record<ArtefactKind, ArtefactStore> {
  /** For people. */
  name: string;
  /** By this id, which is kept with the files, the database knows which place holds a file. Made when there is none. */
  readId(): Promise<string>;
  /** Gives the place the id that files of a backup are known by. */
  writeId(id: string): Promise<void>;
}

/** Without a `cause`: a refused connection in it would pass for one to the database. */
export function storeAway(message: string): AppError {
  return new AppError('artefacts-unreachable', message);
}

/** Whether an error came from a store of artefacts that is away or rejects requests, so that the work is worth another try. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'artefacts-unreachable';
}

/** A file was removed between its upload and its note, by who saw no note of it: the next upload finds nobody who removes it. */
export function removedMeanwhile(sha256: string): AppError {
  return new AppError('conflict', `The file ${sha256} was removed while it was uploaded: send it again`);
}

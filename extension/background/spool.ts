import { toSentVisit, type CompressedVisit, type SentVisit } from '#core/protocol/sent-visit.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { HeldPass } from './passes/held-pass.ts';
import { toColumns } from '#core/columns/columns.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';

const batchBytes = 1024 * 1024;
const batchVisits = 50;

export interface SpooledVisit {
  /** An older version kept it whole. */
  visit: SentVisit | Visit;
  snapshot?: CompressedVisit['snapshot'];
  bytes: number;
  /** Why the Controller will never store it; null while it waits. */
  refusal: string | null;
}

/** Visits until the Controller has acknowledged them, and the Pass that makes them. A Visit that it refused is set aside, not deleted. */
export class Spool {
  readonly #database: IDBDatabase;

  static async open(): Promise<Spool> {
    return new Spool(await openDatabase());
  }

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  async readPass(): Promise<HeldPass | null> {
    const found: unknown = await answerOf(this.#database.transaction('pass').objectStore('pass').get('held'));
    return (found as HeldPass | undefined) ?? null;
  }

  async writePass(pass: HeldPass | null): Promise<void> {
    const transaction = this.#write('pass');
    putPass(transaction, pass);
    await endOf(transaction);
  }

  /** The Visit, and that its Pass has come past it, both or neither: so that none is lost and none is made twice. */
  async addVisit(visit: Visit, pass: HeldPass): Promise<void> {
    const compressed = await compress(visit);
    const transaction = this.#write('visits', 'pass');
    transaction.objectStore('visits').add(toSpooled(compressed));
    putPass(transaction, pass);
    await endOf(transaction);
  }

  /** The oldest Visits that wait, at most about 1 MiB of them. */
  async nextBatch(): Promise<CompressedVisit[]> {
    return Promise.all(
      chooseBatch(await this.#list()).map(async ({ visit, snapshot = null }) =>
        'snapshotBytes' in visit.outcome ? { visit: visit as SentVisit, snapshot } : compress(visit as Visit),
      ),
    );
  }

  forget(visitIds: readonly string[]): Promise<void> {
    return this.#change(visitIds, (cursor) => cursor.delete());
  }

  setAside(visitIds: readonly string[], reason: string): Promise<void> {
    return this.#change(visitIds, (cursor) => cursor.update({ ...(cursor.value as SpooledVisit), refusal: reason }));
  }

  async countWaiting(): Promise<number> {
    return (await this.#list()).filter(({ refusal }) => refusal === null).length;
  }

  #list(): Promise<SpooledVisit[]> {
    return answerOf(this.#database.transaction('visits').objectStore('visits').getAll() as IDBRequest<SpooledVisit[]>);
  }

  async #change(visitIds: readonly string[], change: (cursor: IDBCursorWithValue) => void): Promise<void> {
    const transaction = this.#write('visits');
    const index = transaction.objectStore('visits').index('id');
    for (const id of visitIds) {
      const request = index.openCursor(IDBKeyRange.only(id));
      request.onsuccess = () => request.result && change(request.result);
    }
    await endOf(transaction);
  }

  #write(...stores: string[]): IDBTransaction {
    return this.#database.transaction(stores, 'readwrite', { durability: 'strict' });
  }
}

export function toSpooled(compressed: CompressedVisit): SpooledVisit {
  const bytes = JSON.stringify(compressed.visit).length + (compressed.snapshot?.length ?? 0);
  return { ...compressed, bytes, refusal: null };
}

/** The first that wait, as many as go in one message, and at least one. */
export function chooseBatch(spooled: readonly SpooledVisit[]): SpooledVisit[] {
  const batch: SpooledVisit[] = [];
  let bytes = 0;
  for (const each of spooled) {
    if (each.refusal !== null) continue;
    bytes += each.bytes;
    if (batch.length === batchVisits || (batch.length > 0 && bytes > batchBytes)) break;
    batch.push(each);
  }
  return batch;
}

async function compress(visit: Visit): Promise<CompressedVisit> {
  const snapshot = visit.outcome.snapshot && (await compressSnapshot(visit.outcome.snapshot));
  return { visit: toSentVisit(visit, snapshot), snapshot };
}

function putPass(transaction: IDBTransaction, pass: HeldPass | null): void {
  const store = transaction.objectStore('pass');
  if (pass) store.put(pass, 'held');
  else store.delete('held');
}

/** A Snapshot as it is kept, sent and stored: a page of 100 objects takes a twentieth of its JSON. */
async function compressSnapshot(snapshot: Snapshot): Promise<Uint8Array<ArrayBuffer>> {
  const json = new Blob([JSON.stringify(toColumns(snapshot))]).stream();
  return new Uint8Array(await new Response(json.pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}

/** The extension's one database: the Visits that wait, and the Pass under way. It outlives the background and the browser. */
function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('http-ae', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('visits', { autoIncrement: true }).createIndex('id', 'visit.id');
    request.result.createObjectStore('pass');
  };
  return answerOf(request);
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  return promise;
}

/** Resolves when it is on the disk. */
function endOf(transaction: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  transaction.oncomplete = () => resolve();
  transaction.onabort = () => reject(transaction.error);
  return promise;
}

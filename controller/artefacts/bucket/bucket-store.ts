import { Sha256Schema } from '#core/protocol/capture-outcome.ts';
import type { ArtefactStore, StoredFile } from '../artefact-store.ts';
import { IncomingFiles } from '../incoming-files.ts';
import type { BucketClient } from './bucket-client.ts';
import { putFile } from './put-file.ts';
import { readElements, readText } from './read-xml.ts';
import type { TurnKeeper } from './turn-keeper.ts';

interface StoreOptions {
  /** Before each key: empty, or ends with a slash. */
  prefix: string;
  /** Of this machine: files are whole and checked before they are sent. */
  incomingFolder: string;
  /** For files that are sent: those of a Controller hold so many parts in memory. */
  turns: TurnKeeper;
}

/** Files of a bucket, with the names that they have in a folder: `ab/cdef…`. */
export class BucketStore implements ArtefactStore {
  readonly #client: BucketClient;
  readonly #prefix: string;
  readonly #incoming: IncomingFiles;
  readonly #turns: TurnKeeper;

  constructor(client: BucketClient, { prefix, incomingFolder, turns }: StoreOptions) {
    this.#client = client;
    this.#prefix = prefix;
    this.#incoming = new IncomingFiles(incomingFolder);
    this.#turns = turns;
  }

  async receive(
    sha256: string,
    contents: AsyncIterable<Buffer>,
    { maximumBytes }: { maximumBytes: number },
  ): Promise<number> {
    const key = this.#keyOf(sha256);
    this.#client.requireUp(); // before anything comes
    return this.#incoming.receive({ sha256, contents, maximumBytes }, (file, bytes) =>
      this.#turns.take(() => putFile(this.#client, { key, file, sha256, bytes })),
    );
  }

  async sizeOf(sha256: string): Promise<number | null> {
    const answer = await this.#client.send({ method: 'HEAD', key: this.#keyOf(sha256), accepts: [404] });
    await answer.body.dump();
    return answer.statusCode === 404 ? null : Number(answer.headers['content-length']);
  }

  async open(sha256: string): Promise<StoredFile | null> {
    const { statusCode, headers, body } = await this.#client.send({
      method: 'GET',
      key: this.#keyOf(sha256),
      accepts: [404],
    });
    if (statusCode === 404) {
      await body.dump();
      return null;
    }
    body.on('error', () => undefined); // the reader of the stream gets it
    return {
      bytes: Number(headers['content-length']),
      read: () => body,
      [Symbol.asyncDispose]: () => Promise.resolve(void body.destroy()),
    };
  }

  async remove(sha256: string): Promise<void> {
    const answer = await this.#client.send({ method: 'DELETE', key: this.#keyOf(sha256), accepts: [404] });
    await answer.body.dump();
  }

  async *list(): AsyncGenerator<string> {
    const { prefix } = this.#client.address;
    const start = `${prefix}${this.#prefix}`;
    let token: string | null = null;
    do {
      const { text } = await this.#client.sendForText({
        method: 'GET',
        key: null,
        query: { 'list-type': '2', prefix: start, ...(token !== null && { 'continuation-token': token }) },
      });
      for (const contents of readElements(text, 'Contents')) {
        const [, head, rest] =
          /^([0-9a-f]{2})\/([0-9a-f]{62})$/.exec((readText(contents, 'Key') ?? '').slice(start.length)) ?? [];
        if (head !== undefined) yield `${head}${rest!}`;
      }
      token = readText(text, 'IsTruncated') === 'true' ? readText(text, 'NextContinuationToken') : null;
    } while (token !== null);
  }

  async removeIncomingBefore(epochMs: number): Promise<void> {
    await this.#incoming.removeBefore(epochMs);
    const { prefix } = this.#client.address;
    let from: Record<string, string> | null = {};
    while (from !== null) {
      const { text } = await this.#client.sendForText({
        method: 'GET',
        key: null,
        query: { uploads: '', prefix: `${prefix}${this.#prefix}`, ...from },
      });
      for (const upload of readElements(text, 'Upload')) {
        const key = readText(upload, 'Key');
        const uploadId = readText(upload, 'UploadId');
        const begun = Date.parse(readText(upload, 'Initiated') ?? '');
        if (key === null || uploadId === null || !(begun < epochMs)) continue;
        await this.#client.sendForText({
          method: 'DELETE',
          key: key.slice(prefix.length),
          query: { uploadId },
          accepts: [404],
        });
      }
      const [keyMarker, idMarker] = [readText(text, 'NextKeyMarker'), readText(text, 'NextUploadIdMarker')];
      const hasMore = readText(text, 'IsTruncated') === 'true' && keyMarker !== null && idMarker !== null;
      from = hasMore ? { 'key-marker': keyMarker, 'upload-id-marker': idMarker } : null;
    }
  }

  #keyOf(sha256: string): string {
    Sha256Schema.parse(sha256);
    return `${this.#prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  }
}

import { availableParallelism } from 'node:os';
import type { Time } from '#core/clock/time.ts';
import { findHeader, hasToken, type HeaderList, withoutHeaders } from '#core/http1/header-list.ts';
import { allowsLoss } from '../../exchange/allows-loss.ts';
import type { RequestHead } from '../../exchange/heads.ts';
import type { OriginAnswer } from '../origin-request.ts';
import { SharedPlaces, type Compression, type ImageFormat } from './compression.ts';
import { recompressImage } from './recompress-image.ts';

/** They are of the web server's bytes: a range or a digest of those does not fit the new ones. */
const ofOriginal = [
  'content-type',
  'content-length',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
];

/** Longer images pass as they are. */
const maxImageBytes = 4 * 1024 * 1024;
/** So does one that takes longer to come and to have its turn: nothing is held up without end. */
const maxWaitMs = 2000;
/** How many images of all users may be held at a time: more pass as they are. */
const maxAtOnce = 48;

export interface PackedImage {
  headers: string[];
  body: Buffer;
  originalBytes: number;
}

/** Recompresses images. */
export class ImagePacker {
  readonly #images: NonNullable<Compression['images']>;
  readonly #sleep: Time['sleep'];
  /** One for each core: more at a time take more memory, and are no sooner done. */
  readonly #places: DecodingPlaces;
  readonly #held = new SharedPlaces(maxAtOnce);

  constructor(
    images: NonNullable<Compression['images']>,
    sleep: Time['sleep'],
    places = new DecodingPlaces(availableParallelism()),
  ) {
    this.#images = images;
    this.#sleep = sleep;
    this.#places = places;
  }

  /** Whether the answer may be changed. RFC 9110, 7.7; RFC 9111, 5.2.1.6. */
  mayPack({ method, headers: asked }: RequestHead, { status, headers, codings }: OriginAnswer): boolean {
    if (method !== 'GET' || status !== 200) return false;
    const find = (name: string) => findHeader(headers, name);
    if (!/^image\/(jpeg|jpg|png|webp)\s*(;|$)/i.test(find('content-type') ?? '')) return false;
    if ((find('content-encoding') ?? 'identity') !== 'identity' || codings.length > 0) return false;
    if (Number(find('content-length') ?? 0) > maxImageBytes) return false;
    if (/\battachment\b/i.test(find('content-disposition') ?? '')) return false;
    return !hasToken(headers, 'cache-control', 'no-transform') && allowsLoss(asked, `image/${this.#images.format}`);
  }

  /** The packed image, or the body as it came and comes: also when it breaks off, takes too long, is too long or has to wait too long, and where too many of the user are held. */
  async pack(
    body: AsyncIterable<Buffer>,
    { user, type, headers }: { user: string; type: string; headers: HeaderList },
  ): Promise<PackedImage | { body: AsyncIterable<Buffer>; headers: null }> {
    using held = this.#held.take(user);
    if (held === null) return { headers: null, body };
    const over = new AbortController();
    try {
      const chunks = body[Symbol.asyncIterator]();
      const tooLate = new AbortController();
      const late = this.#sleep(maxWaitMs, over.signal).then(
        () => {
          tooLate.abort();
          return null;
        },
        () => null,
      );
      const first: Buffer[] = [];
      let originalBytes = 0;
      for (;;) {
        const pending = chunks.next();
        const next = await Promise.race([pending.catch(() => null), late]);
        if (next === null) return { headers: null, body: resume(first, pending, chunks) };
        if (next.done) break;
        first.push(next.value);
        originalBytes += next.value.length;
        if (originalBytes > maxImageBytes) return { headers: null, body: resume(first, chunks.next(), chunks) };
      }
      const { format, quality } = this.#images;
      using place = await this.#places.take(tooLate.signal);
      const packed = place && (await recompressImage(Buffer.concat(first), { format, quality }));
      if (!packed) return { headers: null, body: resume(first, chunks.next(), chunks) };
      const change = { type, originalBytes, bytes: packed.length, format, quality };
      return { headers: markLossy(headers, change), body: packed, originalBytes };
    } finally {
      over.abort();
    }
  }
}

async function* resume(
  first: readonly Buffer[],
  pending: Promise<IteratorResult<Buffer>>,
  chunks: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  yield* first;
  for (let next = await pending; !next.done; next = await chunks.next()) yield next.value;
}

/** Header fields of an image that was recompressed. `HTTPEP-Lossy` has what it was. */
function markLossy(
  headers: HeaderList,
  change: { type: string; originalBytes: number; bytes: number; format: ImageFormat; quality: number },
): string[] {
  const { type, originalBytes, bytes, format, quality } = change;
  return [
    ...withoutHeaders(headers, ofOriginal),
    ...['Content-Type', `image/${format}`, 'Content-Length', String(bytes)],
    ...['Vary', 'Accept', 'HTTPEP-Lossy', `${type}; bytes=${originalBytes}; quality=${quality}`],
  ];
}

/** Takes turns at what few may do at a time. Who waits is served in order, or gives up. */
export class DecodingPlaces {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** A place, to be disposed of; null when the signal is aborted before there is one. */
  async take(signal: AbortSignal): Promise<Disposable | null> {
    if (signal.aborted) return null;
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#wait(signal))) return null;
    return { [Symbol.dispose]: () => this.#release() };
  }

  /** Whether a place was left to it. */
  #wait(signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const serve = () => {
      signal.removeEventListener('abort', giveUp);
      resolve(true);
    };
    const giveUp = () => {
      this.#waiting.delete(serve);
      resolve(false);
    };
    this.#waiting.add(serve);
    signal.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

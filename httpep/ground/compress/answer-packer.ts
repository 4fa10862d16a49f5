import { Readable } from 'node:stream';
import type { Time } from '#core/clock/time.ts';
import { BodyCoder, type Coding } from '../../exchange/body-coder.ts';
import { findHeader, type HeaderList } from '#core/http1/header-list.ts';
import { withoutHop, type RequestHead } from '../../exchange/heads.ts';
import type { OriginAnswer } from '../origin-request.ts';
import { type Compression, isText, SharedPlaces } from './compression.ts';
import { ImagePacker } from './image-packer.ts';

/** How many texts of all users are compressed at a time, each in a few MiB of memory: more pass as they are. */
const maxTextsAtOnce = 96;

export interface PackedAnswer extends Disposable {
  headers: string[];
  body: AsyncIterable<Buffer>;
  /** What compresses the body as it passes; null for nothing. */
  coder: BodyCoder | null;
  coding: Coding | undefined;
  /** Of the image that it was, before the loss; null where nothing was lost. */
  lossyOf: { originalBytes: number; bytes: number } | null;
}

/** Compresses answers for the tunnel. */
export class AnswerPacker {
  readonly #text: Coding | null;
  readonly #images: ImagePacker | null;
  readonly #places = new SharedPlaces(maxTextsAtOnce);

  constructor({ text, images }: Compression, sleep: Time['sleep']) {
    this.#text = text;
    this.#images = images && new ImagePacker(images, sleep);
  }

  async pack(head: RequestHead, answer: OriginAnswer): Promise<PackedAnswer> {
    const headers = withoutHop(answer.headers);
    const { body } = answer;
    if (this.#images?.mayPack(head, answer)) return packImage(this.#images, { user: head.user, answer, headers });
    const coding = this.#chooseCoding(head, answer);
    const place = coding === undefined ? null : this.#places.take(head.user);
    if (coding === undefined || place === null)
      return { headers, body, coder: null, coding: undefined, lossyOf: null, [Symbol.dispose]: nothing };
    const coder = BodyCoder.encode(coding);
    const dispose = () => {
      place[Symbol.dispose]();
      coder[Symbol.dispose]();
    };
    return { headers, body, coder, coding, lossyOf: null, [Symbol.dispose]: dispose };
  }

  #chooseCoding(head: RequestHead, answer: OriginAnswer): Coding | undefined {
    // What follows an upgrade is no body, also if it was refused.
    if (this.#text === null || head.isUpgrade) return undefined;
    return isText(answer) ? this.#text : undefined;
  }
}

const nothing = () => undefined;

async function packImage(
  packer: ImagePacker,
  { user, answer, headers }: { user: string; answer: OriginAnswer; headers: HeaderList },
): Promise<PackedAnswer> {
  const type = findHeader(answer.headers, 'content-type')!;
  const result = await packer.pack(answer.body, { user, type, headers });
  const rest = { coder: null, coding: undefined, [Symbol.dispose]: nothing };
  if (result.headers === null) return { ...rest, headers: [...headers], body: result.body, lossyOf: null };
  const { body, originalBytes } = result;
  return {
    ...rest,
    headers: result.headers,
    body: Readable.from([body]) as AsyncIterable<Buffer>,
    lossyOf: { originalBytes, bytes: body.length },
  };
}

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Time } from '#core/clock/time.ts';
import { BodyCoder, type Coding } from '../../exchange/body-coder.ts';
import { withoutHop, type HeaderList } from '../../exchange/header-list.ts';
import type { RequestHead } from '../../exchange/heads.ts';
import { type Compression, isText } from './compression.ts';
import { ImagePacker } from './image-packer.ts';

/** How many texts are compressed at a time, each in a few MiB of memory: more pass as they are. */
const maxTextsAtOnce = 64;

export interface PackedAnswer {
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
  #textCount = 0;

  constructor({ text, images }: Compression, sleep: Time['sleep']) {
    this.#text = text;
    this.#images = images && new ImagePacker(images, sleep);
  }

  async pack(head: RequestHead, response: IncomingMessage): Promise<PackedAnswer> {
    const headers = [...withoutHop(response.rawHeaders), 'Via', '1.1 httpep'];
    const body = response as AsyncIterable<Buffer>;
    if (this.#images?.mayPack(head, response)) return packImage(this.#images, { response, headers });
    const coding = this.#chooseCoding(head, response);
    if (coding === undefined) return { headers, body, coder: null, coding, lossyOf: null };
    this.#textCount += 1;
    response.once('close', () => (this.#textCount -= 1));
    return { headers, body, coder: BodyCoder.encode(coding), coding, lossyOf: null };
  }

  #chooseCoding(head: RequestHead, response: IncomingMessage): Coding | undefined {
    // What follows an upgrade is no body, also if it was refused.
    if (this.#text === null || head.isUpgrade || this.#textCount >= maxTextsAtOnce) return undefined;
    return isText(response) ? this.#text : undefined;
  }
}

async function packImage(
  packer: ImagePacker,
  { response, headers }: { response: IncomingMessage; headers: HeaderList },
): Promise<PackedAnswer> {
  const type = response.headers['content-type']!;
  const result = await packer.pack(response as AsyncIterable<Buffer>, { type, headers });
  const rest = { coder: null, coding: undefined };
  if (result.headers === null) return { ...rest, headers: [...headers], body: result.body, lossyOf: null };
  const { body, originalBytes } = result;
  return {
    ...rest,
    headers: result.headers,
    body: Readable.from([body]) as AsyncIterable<Buffer>,
    lossyOf: { originalBytes, bytes: body.length },
  };
}

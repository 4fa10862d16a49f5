import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request, type Dispatcher } from 'undici';
import type { AppError } from '#core/app-error.ts';
import { storeAway } from '../artefact-store.ts';
import type { BucketAddress } from '../artefacts-url.ts';
import { AwsV4Signer } from 'aws4fetch';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const lastCodePoint = 0x10ffff;

export interface SignableRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** Of the body. */
  sha256: string;
}

/** Keys derived from the secret, by day. */
const derivedKeys = new Map<string, ArrayBuffer>();

export interface BucketRequest {
  method: SignableRequest['method'];
  /** Below the prefix; null for the bucket itself. */
  key: string | null;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: BucketBody;
  /** Statuses that are an answer to the caller, beside those of success. */
  accepts?: readonly number[];
  /** Is sent although the store is known to be away. */
  isCheck?: boolean;
}

export interface BucketBody {
  sha256: string;
  bytes: number;
  /** Once for each try. */
  open: () => Buffer | Readable;
}

const sha256OfNothing = createHash('sha256').digest('hex');
const connectLimitMs = 5_000;
/** Until an answer begins, and between two pieces of it. What is sent has its own time, at the slowest that is waited for. */
const silenceLimitMs = 20_000;
const slowestBytesPerMs = 128;
const pausesMs = [100, 400];
const busyStatuses = [429, 500, 502, 503];
const mostErrorBytes = 64 * 1024;
/** A list of a thousand files has some hundred thousand bytes. */
const mostTextBytes = 8 * 1024 * 1024;

interface BucketEvents {
  failure: [error: AppError];
}

/** Sends requests to one bucket. A few tries, for a store that is busy for a moment; then it throws `artefacts-unreachable`. */
export class BucketClient extends EventEmitter<BucketEvents> implements AsyncDisposable {
  readonly address: BucketAddress;
  /** While the store is known to be away, this is thrown at once: nobody waits for what will not come. */
  away: AppError | null = null;
  readonly #connections = new Agent({ connect: { timeout: connectLimitMs }, bodyTimeout: silenceLimitMs });

  constructor(address: BucketAddress) {
    super();
    this.address = address;
  }

  /** The caller reads the body of the answer, or dumps it. */
  async send(order: BucketRequest, signal?: AbortSignal): Promise<Dispatcher.ResponseData> {
    if (order.isCheck !== true) this.requireUp();
    for (let attempt = 0; ; attempt++) {
      const failure = await this.#try(order, signal);
      if (!('problem' in failure)) return failure;
      signal?.throwIfAborted();
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined || !failure.isBusy) {
        const error = storeAway(failure.problem);
        this.emit('failure', error);
        throw error;
      }
      await pause(pauseMs, undefined, { signal });
    }
  }

  requireUp(): void {
    if (this.away) throw storeAway(this.away.message);
  }

  /** The answer as text. */
  async sendForText(order: BucketRequest, signal?: AbortSignal): Promise<{ status: number; text: string }> {
    const { statusCode, body } = await this.send(order, signal);
    try {
      const { text, isWhole } = await readSome(body, mostTextBytes);
      if (!isWhole) throw new Error(`an answer has more than ${mostTextBytes} bytes`);
      return { status: statusCode, text };
    } catch (error) {
      const away = storeAway(this.#describe(error));
      this.emit('failure', away);
      throw away;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections.destroy();
  }

  async #try(
    { method, key, query = {}, headers = {}, body, accepts = [] }: BucketRequest,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData | { problem: string; isBusy: boolean }> {
    const url = new URL(key === null ? this.address.url : `${this.address.url}/${this.address.prefix}${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      const sha256 = body?.sha256 ?? sha256OfNothing;
      const signed = await signRequest({ method, url: url.href, headers, sha256 }, this.address);
      const answer = await request(url, {
        method,
        headers: { ...signed, ...(body && { 'content-length': String(body.bytes) }) },
        body: body?.open() ?? null,
        dispatcher: this.#connections,
        headersTimeout: silenceLimitMs + (body?.bytes ?? 0) / slowestBytesPerMs,
        ...(signal && { signal }),
      });
      const { statusCode } = answer;
      if (statusCode < 300 || accepts.includes(statusCode)) return answer;
      const { text } = await readSome(answer.body, mostErrorBytes);
      return { problem: this.#describeRefusal(statusCode, text), isBusy: busyStatuses.includes(statusCode) };
    } catch (error) {
      const code = codeOf(error);
      return { problem: this.#describe(error), isBusy: code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' };
    }
  }

  #describe(error: unknown): string {
    return `The store of traces and pictures, ${this.address.name}, does not answer (${codeOf(error) ?? (error as Error).message}). Start it, or correct ARTEFACTS_URL`;
  }

  #describeRefusal(status: number, text: string): string {
    const said = [readText(text, 'Code'), readText(text, 'Message')].filter((each) => each !== null).join(': ');
    return `The store of traces and pictures, ${this.address.name}, rejects requests with HTTP status ${status}${said === '' ? '' : ` (${said.slice(0, 300)})`}. Correct the bucket, its policy, or the credentials`;
  }
}

/** The text, or the beginning of one that is longer. */
async function readSome(body: AsyncIterable<Buffer>, mostBytes: number): Promise<{ text: string; isWhole: boolean }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes > mostBytes) break;
  }
  return { text: Buffer.concat(parts).toString('utf8'), isWhole: bytes <= mostBytes };
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The headers of a request, signed by AWS Signature Version 4. `dateTime`: `20130524T000000Z`; now when left out. */
export async function signRequest(
  { method, url, headers = {}, sha256 }: SignableRequest,
  { region, accessKeyId, secretAccessKey, sessionToken }: Omit<BucketAddress, 'url' | 'name' | 'prefix'>,
  dateTime?: string,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
    cache: derivedKeys,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(dateTime !== undefined && { datetime: dateTime }),
  });
  return Object.fromEntries((await signer.sign()).headers);
}

/** What the elements of this name hold, in order. The answers of S3 nest no element in one of the same name, and have neither attributes nor comments in those that are read here. */
export function readElements(xml: string, name: string): string[] {
  const opening = `<${name}`;
  const closing = `</${name}>`;
  const found: string[] = [];
  // A search that never looks at the same place twice: a pattern would, for each beginning without an end.
  for (let start = xml.indexOf(opening); start !== -1;) {
    const named = start + opening.length;
    if (xml[named] === '>' || xml[named] === ' ') {
      const begin = xml.indexOf('>', named) + 1;
      const end = begin === 0 ? -1 : xml.indexOf(closing, begin);
      if (end === -1) break;
      found.push(xml.slice(begin, end));
      start = xml.indexOf(opening, end + closing.length);
    } else {
      start = xml.indexOf(opening, named);
    }
  }
  return found;
}

/** The text of the first element of this name; null when there is none. */
export function readText(xml: string, name: string): string | null {
  const [contents] = readElements(xml, name);
  if (contents === undefined) return null;
  return contents.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, ...[decimal, hex, named]: (string | undefined)[]) => {
      if (named !== undefined) return entities[named] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code <= lastCodePoint ? String.fromCodePoint(code) : whole;
    },
  );
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;');
}

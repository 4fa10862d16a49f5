import type { IncomingMessage, ServerResponse } from 'node:http';
import { findHeader, listPairs, withoutHeaders, withoutHop } from '../exchange/header-list.ts';
import { AnswerSchema, TrailersSchema, type RequestHead } from '../exchange/heads.ts';
import { pack, unpack } from '../exchange/pack.ts';
import { readRecords } from '../exchange/read-records.ts';
import { encodeRecord, recordTypes, type ExchangeRecord } from '../exchange/record.ts';
import { writeOrWait } from '../exchange/write-or-wait.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import { answerError, formatHead, groundRestarted, type LocalAnswer } from './answer-error.ts';

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  stream: TunnelStream;
  head: RequestHead;
}

/** Passes a request on, and the answer back as it comes. Resolves when it is over. */
export class ForwardedRequest {
  readonly #asked: Asked;

  constructor(asked: Asked) {
    this.#asked = asked;
    asked.stream.on('error', () => undefined);
    asked.response.on('close', () => {
      if (!asked.response.writableFinished) asked.stream.destroy();
    });
  }

  /** Answers for the ground end, if that has not begun to answer. */
  fail(answer: LocalAnswer): void {
    const { response, stream } = this.#asked;
    if (response.headersSent || response.destroyed) return;
    answerError(response, answer);
    stream.destroy();
  }

  async run(): Promise<void> {
    const { request, stream, head } = this.#asked;
    stream.write(encodeRecord(recordTypes.head, pack(head)));
    if (head.hasBody) void sendBody(request, stream);
    else stream.end();
    await this.#receive();
  }

  async #receive(): Promise<void> {
    const { response, stream } = this.#asked;
    try {
      for await (const record of readRecords(stream)) await this.#take(record);
      if (!response.headersSent) throw new Error('no head');
      response.end();
    } catch {
      if (response.headersSent) response.destroy();
      else this.fail(groundRestarted);
    }
  }

  async #take({ type, bytes }: ExchangeRecord): Promise<void> {
    const { response } = this.#asked;
    switch (type) {
      case recordTypes.information:
        // Node has no way to send any of them. The response has its socket once those before it are over.
        response.socket?.write(formatHead(unpack(bytes, AnswerSchema)));
        return;
      case recordTypes.head:
        this.#begin(bytes);
        return;
      case recordTypes.body:
        await writeOrWait(response, bytes);
        return;
      case recordTypes.trailers:
        response.addTrailers(listPairs(withoutHop(unpack(bytes, TrailersSchema))));
        return;
      case recordTypes.abort:
        throw new Error('The web server broke its answer off');
    }
  }

  #begin(bytes: Buffer): void {
    const { response } = this.#asked;
    const { status, reason, headers } = unpack(bytes, AnswerSchema);
    response.sendDate = false;
    const isChunked = findHeader(headers, 'content-length') === null;
    response.writeHead(status, reason, isChunked ? headers : withoutHeaders(headers, ['trailer']));
    response.flushHeaders();
  }
}

async function sendBody(request: IncomingMessage, stream: TunnelStream): Promise<void> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (stream.destroyed) return;
      await writeOrWait(stream, encodeRecord(recordTypes.body, chunk as Buffer));
    }
    if (request.rawTrailers.length > 0) stream.write(encodeRecord(recordTypes.trailers, pack(request.rawTrailers)));
    stream.end();
  } catch {
    stream.destroy();
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { findHeader, listPairs, withoutHeaders, withoutHop } from '../exchange/header-list.ts';
import { AnswerSchema, TrailersSchema, type RequestHead } from '../exchange/heads.ts';
import { pack, unpack } from '../exchange/pack.ts';
import { readRecords, encodeRecord, recordTypes, type ExchangeRecord } from '../exchange/read-records.ts';
import { writeOrWait } from '../exchange/join-socket.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { Admitted } from './admission.ts';
import type { PushOwner } from './bundle/held-push.ts';
import { type PushStore, matchesVariant } from './bundle/push-store.ts';
import type { RequestCounters } from './remote-counters.ts';
import { answerError, formatHead, groundRestarted, type LocalAnswer } from './answer-error.ts';
import { BodyCoder } from '../exchange/body-coder.ts';

interface Asked extends Admitted<RequestHead> {
  request: IncomingMessage;
  response: ServerResponse;
  store: PushStore;
  counters: RequestCounters;
}

/** Where the answer comes from. */
interface Source {
  records: AsyncIterable<ExchangeRecord>;
  /** No more of it is wanted. */
  stop: () => void;
  /** The page that it is, or is for. */
  page: PushOwner;
}

/** Passes a request on, and the answer back as it comes. Resolves when it is over. */
export class ForwardedRequest {
  readonly #asked: Asked;
  /** Of what is fetched ahead for the answer. */
  readonly #owner: PushOwner;
  #source: Omit<Source, 'records'> | null = null;
  /** Of a body whose length is known: the browser may close the connection once it has all of it. */
  #missingBytes: number | null = null;
  /** The answer broke off at the other end. */
  #isBroken = false;

  constructor(asked: Asked) {
    this.#asked = asked;
    const { user, url } = asked.head;
    const { counters } = asked;
    this.#owner = {
      ...{ user, pageUrl: url, held: new Set(), activeMs: -Infinity },
      count: (name, by) => counters.add(name, by),
    };
    asked.response.on('close', () => {
      counters.end();
      if (asked.response.writableFinished || this.#isBroken) return;
      this.#source?.stop();
      // A browser that breaks off a page, or what a page needs, has left the page.
      if (this.#source && this.#missingBytes !== 0) asked.store.leave(this.#source.page);
    });
  }

  /** Answers for the ground end, if that has not begun to answer. */
  fail(answer: LocalAnswer): void {
    const { response } = this.#asked;
    if (response.headersSent || response.destroyed) return;
    this.#asked.counters.add('failed');
    answerError(response, answer);
    this.#source?.stop();
  }

  async run(): Promise<void> {
    const { response } = this.#asked;
    const held = await this.#findHeld();
    if (response.destroyed || response.writableEnded) {
      held?.stop();
      return;
    }
    const { records, ...source } = held ?? this.#ask();
    this.#source = source;
    try {
      for await (const record of decodeRecords(this.#count(records))) await this.#take(record);
      if (!response.headersSent) throw new Error('no head');
      response.end();
    } catch {
      this.#isBroken = true;
      // What was written goes out before.
      if (response.headersSent) response.socket?.destroySoon();
      else this.fail(groundRestarted);
    }
  }

  /** What came ahead; null where nothing did, or something else. */
  async #findHeld(): Promise<Source | null> {
    const { head, store } = this.#asked;
    const push = store.claim(head);
    if (!push) return null;
    const source = { stop: () => push.drop(), page: push.owner };
    this.#source = source;
    const answer = await push.head;
    if (!answer || !matchesVariant(answer, head, push.asked)) {
      push.drop();
      return null;
    }
    push.isUsed = true;
    return { ...source, records: push.records() };
  }

  #ask(): Source {
    const { request, head, open } = this.#asked;
    const stream = open();
    stream.on('error', () => undefined);
    stream.write(encodeRecord(recordTypes.head, pack(head)));
    if (head.hasBody) void sendBody(request, stream);
    else stream.end();
    return { records: readRecords(stream), stop: () => stream.destroy(), page: this.#owner };
  }

  async #take({ type, bytes }: ExchangeRecord): Promise<void> {
    const { response } = this.#asked;
    switch (type) {
      case recordTypes.information:
        // Node has no way to send any of them. The response has its socket once those before it are over.
        response.socket?.write(formatHead(unpack(bytes, AnswerSchema)), 'latin1');
        return;
      case recordTypes.head:
        this.#begin(bytes);
        return;
      case recordTypes.body:
        if (this.#missingBytes !== null) this.#missingBytes -= bytes.length;
        this.#asked.counters.add('bodyBytes', bytes.length);
        await writeOrWait(response, bytes);
        return;
      case recordTypes.trailers:
        response.addTrailers(listPairs(withoutHop(unpack(bytes, TrailersSchema))));
        return;
      case recordTypes.promise:
        this.#asked.store.promise(this.#owner, bytes);
        return;
      case recordTypes.abort:
        throw new Error('The web server broke its answer off');
    }
  }

  async *#count(records: AsyncIterable<ExchangeRecord>): AsyncGenerator<ExchangeRecord> {
    for await (const record of records) {
      if (record.type === recordTypes.body) this.#asked.counters.add('tunnelBytes', record.bytes.length);
      yield record;
    }
  }

  #begin(bytes: Buffer): void {
    const { response, counters } = this.#asked;
    counters.answer();
    const { status, reason, headers } = unpack(bytes, AnswerSchema);
    response.sendDate = false;
    const length = findHeader(headers, 'content-length');
    const isChunked = length === null;
    if (!isChunked) this.#missingBytes = Number(length);
    response.writeHead(status, reason, isChunked ? headers : withoutHeaders(headers, ['trailer']));
    // `flushHeaders` would write UTF-8.
    response.write('', 'latin1');
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

/** The records of an answer with its body as the web server sent it. Throws what `records` throws, and for a body that cannot be unpacked. */
async function* decodeRecords(records: AsyncIterable<ExchangeRecord>): AsyncGenerator<ExchangeRecord> {
  let coder: BodyCoder | null = null;
  try {
    for await (const record of records) {
      if (record.type === recordTypes.body && coder) {
        for await (const bytes of coder.put(record.bytes)) yield { type: recordTypes.body, bytes };
        continue;
      }
      if (record.type === recordTypes.trailers && coder) {
        for await (const bytes of coder.end()) yield { type: recordTypes.body, bytes };
        coder = null;
      }
      if (record.type === recordTypes.head) {
        const { coding } = unpack(record.bytes, AnswerSchema);
        if (coding !== undefined) coder = BodyCoder.decode(coding);
      }
      yield record;
    }
    if (coder) for await (const bytes of coder.end()) yield { type: recordTypes.body, bytes };
  } finally {
    coder?.[Symbol.dispose]();
  }
}

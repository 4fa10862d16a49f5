import { findHeader, listPairs } from '#core/http1/header-list.ts';
import { AnswerSchema, isSafe, TrailersSchema, keepTrailers, type RequestHead } from '../exchange/heads.ts';
import { pack, unpack } from '../exchange/pack.ts';
import { readRecords, encodeRecord, recordTypes, type ExchangeRecord } from '../exchange/read-records.ts';
import { joinSocket, writeOrWait } from '../exchange/join-socket.ts';
import type { AnswerWriter } from '../http/answer-writer.ts';
import { MessageError } from '#core/http1/message-head.ts';
import type { ServedRequest } from '../http/serve-connection.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { Admitted } from './clients.ts';
import type { PushOwner } from './pushes/held-push.ts';
import { matchesVariant } from './pushes/may-use-held.ts';
import type { PushStore } from './pushes/push-store.ts';
import type { RequestCounters } from './remote-counters.ts';
import { answerError, groundRestarted, type LocalAnswer } from './answer-error.ts';
import { BodyCoder } from '../exchange/body-coder.ts';

interface Asked extends Admitted<RequestHead> {
  request: ServedRequest;
  answer: AnswerWriter;
  store: PushStore;
  counters: RequestCounters;
}

/** Where the answer comes from. */
interface Source {
  records: AsyncGenerator<ExchangeRecord>;
  /** The ground end's, where it was asked. */
  stream: TunnelStream | null;
  /** No more of it is wanted. */
  stop: () => void;
  /** The page that it is, or is for. */
  page: PushOwner;
  /** How long the answer was held, in ms; null for one that was not. */
  heldMs: number | null;
  /** Resolves when the request was passed on, or no more of it is wanted. */
  rest: Promise<unknown>;
}

/** Passes a request on, and the answer back as it comes. Resolves when it is over. */
export class ForwardedRequest {
  readonly #asked: Asked;
  /** Of what is fetched ahead for the answer. */
  readonly #owner: PushOwner;
  #source: Pick<Source, 'stop' | 'page'> | null = null;
  /** The answer broke off at the other end. */
  #isBroken = false;

  constructor(asked: Asked) {
    this.#asked = asked;
    const { user, url } = asked.head;
    const { counters, answer } = asked;
    this.#owner = {
      ...{ user, pageUrl: url, urls: new Set([url]), held: new Set(), activeMs: -Infinity },
      count: (name, by) => counters.add(name, by),
    };
    void answer.closed.then(() => {
      counters.end();
      if (answer.isFinished || this.#isBroken) return;
      this.#source?.stop();
      // A browser that breaks off a page, or what a page needs, has left the page.
      if (this.#source && answer.missingBytes !== 0) asked.store.leave(this.#source.page);
    });
  }

  /** Answers for the ground end, if that has not begun to answer. */
  async fail(local: LocalAnswer): Promise<void> {
    const { answer, counters } = this.#asked;
    if (!this.#mayAnswer()) return;
    counters.add('failed');
    this.#source?.stop();
    await answerError(answer, local);
  }

  async run(): Promise<void> {
    const held = await this.#findHeld();
    if (!this.#mayAnswer()) {
      held?.stop();
      return;
    }
    const source = held ?? this.#ask();
    this.#source = source;
    try {
      await this.#send(source);
    } catch {
      this.#isBroken = true;
      if (this.#mayAnswer()) await this.fail(groundRestarted);
      else await this.#asked.answer.abort();
    }
  }

  #mayAnswer(): boolean {
    const { answer } = this.#asked;
    return !answer.isBegun && !answer.isGone;
  }

  async #send(source: Source): Promise<void> {
    const { answer, head } = this.#asked;
    const records = decodeRecords(this.#count(source.records));
    let trailers: string[] = [];
    for await (const record of records) {
      if (record.type === recordTypes.trailers) trailers = keepTrailers(unpack(record.bytes, TrailersSchema));
      else if (record.type === recordTypes.head && unpack(record.bytes, AnswerSchema).status === 101) {
        // Neither end believes an answer that nobody asked for.
        if (!head.isUpgrade || !source.stream) throw new Error('an upgrade that was not asked for');
        await this.#switch(record.bytes, { stream: source.stream, records: source.records });
        return;
      } else await this.#take(record, source);
    }
    if (!answer.isBegun) throw new Error('no head');
    answer.rest = source.rest;
    await answer.end(trailers);
    // Where an upgrade was refused, the stream was still open for it.
    if (head.isUpgrade) void source.rest.then(() => source.stream?.end());
  }

  /** From now on, bytes pass both ways. */
  async #switch(bytes: Buffer, line: { stream: TunnelStream; records: AsyncGenerator<ExchangeRecord> }): Promise<void> {
    const { answer, request, counters } = this.#asked;
    counters.answer();
    await answer.switch(unpack(bytes, AnswerSchema));
    request.reader.giveBack();
    await joinSocket(answer.socket, line);
  }

  /** What came ahead; null where nothing did, or something else. */
  async #findHeld(): Promise<Source | null> {
    const { head, store } = this.#asked;
    const push = store.claim(head);
    if (!push) return null;
    const source = { stream: null, stop: () => push.drop(), page: push.owner };
    this.#source = source;
    const answer = await push.head;
    if (!answer || !matchesVariant(answer, head, push.asked)) {
      push.drop();
      return null;
    }
    push.isUsed = true;
    return { ...source, records: push.records(), heldMs: store.countHeldMs(push), rest: Promise.resolve() };
  }

  #ask(): Source {
    const { request, head, open } = this.#asked;
    const stream = open();
    stream.on('error', () => undefined);
    stream.write(encodeRecord(recordTypes.head, pack(head)));
    const unwanted = new Promise<void>((resolve) => {
      for (const event of ['stopped', 'close']) stream.once(event, resolve);
    });
    const rest = Promise.race([this.#sendBody(request, stream), unwanted]);
    return {
      ...{ records: readRecords(stream), stream, stop: () => stream.destroy() },
      ...{ page: this.#owner, heldMs: null, rest },
    };
  }

  /** A request for another protocol has trailers, if only empty ones: its body has an end, but the stream stays open. */
  async #sendBody({ body, isUpgrade }: ServedRequest, stream: TunnelStream): Promise<void> {
    try {
      for await (const chunk of body ?? []) {
        if (stream.destroyed) return;
        await writeOrWait(stream, encodeRecord(recordTypes.body, chunk));
      }
      const trailers = body?.trailers ?? [];
      if (trailers.length > 0 || isUpgrade) stream.write(encodeRecord(recordTypes.trailers, pack(trailers)));
      if (!isUpgrade) stream.end();
    } catch (error) {
      stream.destroy();
      if (error instanceof MessageError) await this.fail({ status: error.status, text: error.message });
    }
  }

  async #take({ type, bytes }: ExchangeRecord, { heldMs }: Source): Promise<void> {
    const { answer, counters, store, head } = this.#asked;
    switch (type) {
      case recordTypes.information:
        await answer.inform(unpack(bytes, AnswerSchema));
        return;
      case recordTypes.head: {
        counters.answer();
        if (!isSafe(head)) store.leaveOrigin(head);
        const { status, reason, headers } = unpack(bytes, AnswerSchema);
        await answer.begin({ status, reason, headers: heldMs === null ? headers : addAge(headers, heldMs) });
        return;
      }
      case recordTypes.body:
        counters.add('bodyBytes', bytes.length);
        await answer.write(bytes);
        return;
      case recordTypes.promise:
        store.promise(this.#owner, bytes);
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
}

/** What is not fresh from the web server says so: RFC 9111, 5.1. */
function addAge(headers: readonly string[], heldMs: number): string[] {
  const before = Number(findHeader(headers, 'age') ?? 0);
  const ageS = (before >= 0 ? before : 0) + Math.floor(heldMs / 1000);
  return [
    ...listPairs(headers)
      .filter(([name]) => name.toLowerCase() !== 'age')
      .flat(),
    'Age',
    String(ageS),
  ];
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

import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';
import type { Answer, DecodedPacket } from 'dns-packet';
import { describeEdns, readQuery } from './answer-query.ts';
import type { AnswerDns } from './open-dns-server.ts';

const capacity = 10_000;

interface KeptAnswer {
  response: DecodedPacket;
  keptMs: number;
  /** When the first record of it runs out. */
  untilMs: number;
}

interface CacheOptions {
  /** Asks the other server. Rejects where it does not answer in time. */
  ask: (query: Buffer) => Promise<Buffer>;
  nowMs: () => number;
}

/** Answers what it was asked before from memory, for as long as each record may be kept, and shows how long that still is (RFC 1035, 7.4). */
export class DnsCache {
  readonly #ask: CacheOptions['ask'];
  readonly #nowMs: CacheOptions['nowMs'];
  /** Oldest first. */
  readonly #kept = new Map<string, KeptAnswer>();
  readonly #asked = new Map<string, Promise<KeptAnswer | null>>();

  constructor({ ask, nowMs }: CacheOptions) {
    this.#ask = ask;
    this.#nowMs = nowMs;
  }

  readonly answer: AnswerDns = async (message) => {
    const query = readQuery(message);
    if (query === null) return null;
    const { packet, question } = query;
    const key = `${question.name.toLowerCase()} ${question.type} ${question.class ?? 'IN'}`;
    const found = this.#find(key) ?? (await (this.#asked.get(key) ?? this.#askFor(key, packet)));
    if (found === null) return null; // who asked asks again
    const agedSeconds = Math.floor((this.#nowMs() - found.keptMs) / 1000);
    const age = (records: Answer[] = []) =>
      records.map((record) =>
        'ttl' in record ? { ...record, ttl: Math.max(0, (record.ttl ?? 0) - agedSeconds) } : record,
      );
    return encode({
      ...found.response,
      flags: (found.response.flags ?? 0) & ~AUTHORITATIVE_ANSWER,
      id: packet.id ?? 0,
      questions: [question],
      answers: age(found.response.answers),
      authorities: age(found.response.authorities),
      additionals: packet.additionals?.some(({ type }) => type === 'OPT') ? [describeEdns()] : [],
    });
  };

  #find(key: string): KeptAnswer | null {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.untilMs > this.#nowMs()) return kept ?? null;
    this.#kept.delete(key);
    return null;
  }

  /** Who asks for the same meanwhile gets the same answer. */
  #askFor(key: string, { questions, flags }: DecodedPacket): Promise<KeptAnswer | null> {
    const query = encode({
      type: 'query',
      id: 1,
      flags: flags ?? 0,
      questions: questions ?? [],
      additionals: [describeEdns()],
    });
    const asked = this.#ask(query)
      .then((message) => this.#keep(key, decode(message)))
      .catch(() => null)
      .finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  #keep(key: string, response: DecodedPacket): KeptAnswer {
    const records = [...(response.answers ?? []), ...(response.authorities ?? [])];
    const ttls = records.flatMap((record) => ('ttl' in record ? [record.ttl ?? 0] : []));
    const keptMs = this.#nowMs();
    const kept = { response, keptMs, untilMs: keptMs + 1000 * (ttls.length > 0 ? Math.min(...ttls) : 0) };
    this.#kept.set(key, kept);
    if (this.#kept.size > capacity) this.#kept.delete(this.#kept.keys().next().value!);
    return kept;
  }
}

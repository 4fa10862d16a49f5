import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { Answer, DecodedPacket, Packet, Question } from 'dns-packet';
import type { SiteProtocol } from '#core/site/site.ts';

/** How long others may keep an answer. */
export const ttlSeconds = 300;
/** The largest answer over UDP to one that does not say that it takes more (RFC 1035, 4.2.1). */
const plainUdpBytes = 512;
/** Type 65 (RFC 9460), which the package does not know by name. */
const httpsType = 'UNKNOWN_65';
const rcodes = { noError: 0, nameError: 3, notImplemented: 4 } as const;
/** Of an EDNS record (RFC 6891): what this side takes. */
const ednsBytes = 1232;

/** What DNS says of one host. */
export interface DnsHost {
  address: string;
  protocols: readonly SiteProtocol[];
}

/** Without an answer, others may keep that too: for as long as this says (RFC 2308, 5). */
const authority: Answer = {
  name: '.',
  type: 'SOA',
  class: 'IN',
  ttl: ttlSeconds,
  data: { mname: 'ground', rname: 'ground', serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum: ttlSeconds },
};

/** The question of a message; null for what is malformed, or is no query of one question. */
export function readQuery(message: Buffer): { packet: DecodedPacket; question: Question } | null {
  try {
    const packet = decode(message);
    const [question, ...others] = packet.questions ?? [];
    return packet.type === 'query' && question && others.length === 0 ? { packet, question } : null;
  } catch {
    return null; // anybody may send anything, and it is not answered
  }
}

/**
 * Answers a query from the names of these hosts alone: A, and for hosts with HTTP/3 HTTPS (RFC 9460). A name that is none of them does not exist. Null for what is no query.
 * `mostBytes`: of an answer over UDP to one that does not say more; Infinity over TCP.
 */
export function answerQuery(
  message: Buffer,
  { hosts, mostBytes = plainUdpBytes }: { hosts: ReadonlyMap<string, DnsHost>; mostBytes?: number },
): Buffer | null {
  const query = readQuery(message);
  if (query === null) return null;
  const { packet, question } = query;
  const isStandard = (((packet.flags ?? 0) >> 11) & 0xf) === 0;
  if (!isStandard) return respond(query, { rcode: rcodes.notImplemented, answers: [], mostBytes });
  const host = hosts.get(question.name.toLowerCase());
  if (!host) return respond(query, { rcode: rcodes.nameError, answers: [], mostBytes });
  const of = { name: question.name, class: 'IN' as const, ttl: ttlSeconds };
  const answers: Answer[] = [];
  if (question.type === 'A') answers.push({ ...of, type: 'A', data: host.address });
  if (isHttps(question) && host.protocols.includes('h3'))
    answers.push({ ...of, type: httpsType, data: encodeHttps(host.protocols) } as unknown as Answer);
  return respond(query, { rcode: rcodes.noError, answers, mostBytes });
}

function isHttps({ type }: Question): boolean {
  return (type as string) === httpsType;
}

function respond(
  { packet, question }: { packet: DecodedPacket; question: Question },
  { rcode, answers, mostBytes }: { rcode: number; answers: Answer[]; mostBytes: number },
): Buffer {
  const edns = packet.additionals?.find(({ type }) => type === 'OPT') as { udpPayloadSize?: number } | undefined;
  const response: Packet = {
    id: packet.id ?? 0,
    type: 'response',
    flags: AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | ((packet.flags ?? 0) & RECURSION_DESIRED) | rcode,
    questions: [question],
    answers,
    authorities: answers.length > 0 ? [] : [authority],
    additionals: edns ? [describeEdns()] : [],
  };
  const encoded = encode(response);
  if (encoded.length <= Math.max(mostBytes, edns && mostBytes < Infinity ? (edns.udpPayloadSize ?? 0) : 0))
    return encoded;
  return encode({
    ...response,
    flags: response.flags! | TRUNCATED_RESPONSE,
    answers: [],
    authorities: [],
    additionals: [],
  });
}

/** What a query has that takes larger answers. */
export function describeEdns(): Answer {
  return {
    name: '.',
    type: 'OPT',
    udpPayloadSize: ednsBytes,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}

/** The data of an HTTPS record: priority 1, the name itself, and its protocols by ALPN (RFC 9460, 2.2 and 7.1). */
export function encodeHttps(protocols: readonly SiteProtocol[]): Buffer {
  const names = protocols.map((protocol) => Buffer.concat([Buffer.of(protocol.length), Buffer.from(protocol)]));
  const alpn = Buffer.concat(names);
  return Buffer.concat([Buffer.of(0, 1, 0, 0, 1, 0, alpn.length), alpn]);
}

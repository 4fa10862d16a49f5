import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import {
  findHeader,
  hasToken,
  joinHeader,
  listValues,
  withoutHeaders,
  type HeaderList,
} from '#core/http1/header-list.ts';
import {
  TrailersSchema,
  formatTarget,
  readTarget,
  keepTrailers,
  withoutHop,
  type RequestHead,
} from '../exchange/heads.ts';
import { writeOrWait } from '../exchange/join-socket.ts';
import { unpack } from '../exchange/pack.ts';
import { recordTypes, type ExchangeRecord } from '../exchange/read-records.ts';
import type { ByteReader } from '../http/byte-reader.ts';
import {
  frameAnswer,
  isInformational,
  listCodings,
  MessageBody,
  stateLength,
  type Framing,
} from '#core/http1/message-body.ts';
import {
  formatHead,
  keepsOpen,
  MessageError,
  readAnswerHead,
  type HttpVersion,
  type StatusLine,
} from '#core/http1/message-head.ts';

/** This ground end in `Via`, by which it knows what it has asked itself. Other proxies may be HTTPEP, too. */
export const pseudonym = `httpep-${randomBytes(6).toString('hex')}`;

/** RFC 9110, 7.6.3. `version` is that of the HTTP by which the message came. */
export function addVia(headers: HeaderList, version: HttpVersion): string[] {
  return [...headers, 'Via', `${version} ${pseudonym}`];
}

/** What the origin answers. */
export interface OriginAnswer extends StatusLine {
  body: MessageBody;
  /** How the body is coded on its way, but for its chunks. It passes so: browsers get the bytes that came. */
  codings: string[];
  /** The connection may carry another request behind it. */
  mayFollow: boolean;
}

/** The body's length is stated exactly where a body follows: else the next request on the connection would be read as part of this one. */
function formatRequest({ method, url, version, headers, hasBody, isUpgrade }: RequestHead): string {
  const kept = withoutHeaders(withoutHop(headers), ['http2-settings']);
  const length = findHeader(kept, 'content-length');
  const isLengthKept = hasBody || Number(length) === 0;
  const upgrade = isUpgrade ? joinHeader(headers, 'upgrade') : null;
  // Trailers pass, so that a web server may send them.
  const takesTrailers = hasToken(headers, 'te', 'trailers');
  const added = addVia([], version);
  // Of an upgrade that passes: without them, a web server must not or may not switch. RFC 7540, 3.2.1.
  const settings = upgrade === null ? null : findHeader(headers, 'http2-settings');
  const options = [
    upgrade === null ? 'keep-alive' : 'Upgrade',
    ...(settings === null ? [] : ['HTTP2-Settings']),
    ...(takesTrailers ? ['TE'] : []),
  ];
  added.push('Connection', options.join(', '));
  if (upgrade !== null) added.push('Upgrade', upgrade);
  if (settings !== null) added.push('HTTP2-Settings', settings);
  if (takesTrailers) added.push('TE', 'trailers');
  if (hasBody && length === null) added.push('Transfer-Encoding', 'chunked');
  return formatHead(`${method} ${formatTarget(readTarget(url)!, method)} HTTP/1.1`, [
    ...(isLengthKept ? kept : withoutHeaders(kept, ['content-length'])),
    ...added,
  ]);
}

/** How far a request was sent. */
export interface Sending {
  isComplete: boolean;
  /** Resolves when it was sent, or broke off. */
  over: Promise<void>;
}

/** Sends a request whose body comes as records. What breaks the body off ends the connection. */
export function sendRequest(
  socket: Duplex,
  { head, records }: { head: RequestHead; records: AsyncIterator<ExchangeRecord> },
): Sending {
  const isChunked = head.hasBody && findHeader(withoutHop(head.headers), 'content-length') === null;
  const send = async () => {
    socket.write(formatRequest(head), 'latin1');
    let trailers: string[] = [];
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const { type, bytes } = next.value;
      if (type === recordTypes.abort) throw new Error('The browser broke its request off');
      if (type === recordTypes.body && bytes.length > 0) {
        if (isChunked) socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
        await writeOrWait(socket, isChunked ? Buffer.concat([bytes, lineEnd]) : bytes);
      }
      if (type !== recordTypes.trailers) continue;
      trailers = keepTrailers(unpack(bytes, TrailersSchema));
      // What follows is for an upgrade.
      if (head.isUpgrade) break;
    }
    if (isChunked) socket.write(formatHead('0', trailers), 'latin1');
    sending.isComplete = true;
  };
  const sending: Sending = { isComplete: false, over: Promise.resolve() };
  sending.over = send().catch(() => void socket.destroy());
  return sending;
}

const lineEnd = Buffer.from('\r\n');

/** The final answer. Informational ones before it are passed on. Rejects with what prevents one, such as a head that is cut off: passed on, it would look whole. */
export async function readAnswer(
  reader: ByteReader,
  { head, onInformation }: { head: RequestHead; onInformation: (answer: StatusLine) => Promise<void> },
): Promise<OriginAnswer> {
  for (;;) {
    const line = await readAnswerHead(reader, { mayBeCut: false });
    if (line === null) throw Object.assign(new Error('it closed the connection'), { code: 'ECONNRESET' });
    if (isInformational(line.status) && line.status !== 101) {
      await onInformation({ ...line, headers: addVia(withoutLength(withoutHop(line.headers)), line.version) });
      continue;
    }
    if (line.status === 101 && !wasAskedFor(line, head))
      throw new MessageError(400, 'it switched to a protocol that nobody asked for');
    const framing = await findFraming(reader, line, head);
    const codings = framing.kind === 'none' ? [] : listCodings(line).filter((each) => each !== 'chunked');
    if (codings.length > 0 && head.version === '1.0')
      throw new MessageError(400, `its Transfer-Encoding, ${codings.join(', ')}, cannot be named in HTTP/1.0`);
    const isEmpty = bodiless.includes(line.status);
    // Beside a coding of its way, a length would be a second end of the body.
    const headers = isEmpty || codings.length > 0 ? withoutLength(line.headers) : line.headers;
    return {
      ...line,
      headers: [...stateLength(headers, framing), ...(line.status === 205 && head.method !== 'HEAD' ? noBytes : [])],
      body: new MessageBody(reader, { framing, isStrict: false }),
      codings,
      mayFollow: keepsOpen(line) && framing.kind !== 'until-close' && !contradictsItself(line),
    };
  }
}

/** Answers without a body, also if they name one: RFC 9110, 15.3.5 and 15.3.6. */
const bodiless = [204, 205];
/** Of 205, which HTTP/1.1 does not end at its head. */
const noBytes = ['Content-Length', '0'];

/** HTTP/1.0 has no chunks, but some of its web servers send them. What begins as they do is read so, as in Firefox. */
async function findFraming(reader: ByteReader, line: StatusLine, { method }: RequestHead): Promise<Framing> {
  const framing = frameAnswer(line, method);
  const codings =
    line.version === '1.0' && framing.kind !== 'none' ? listValues(line.headers, 'transfer-encoding') : [];
  const isNamed = codings.length === 1 && codings[0]!.toLowerCase() === 'chunked';
  return isNamed && (await beginsWithChunk(reader)) ? { kind: 'chunked' } : framing;
}

async function beginsWithChunk(reader: ByteReader): Promise<boolean> {
  for (;;) {
    const start = reader.bytes.toString('latin1', 0, 32);
    if (/^[\da-f]{1,12}[ \t]{0,8}\r\n/i.test(start)) return true;
    if (!/^([\da-f]{1,12}[ \t]{0,8}\r?)?$/i.test(start) || !(await reader.fill())) return false;
  }
}

const withoutLength = (headers: HeaderList) => withoutHeaders(headers, ['content-length']);

/** Whether it switches to protocols that the request named: RFC 9110, 7.8. */
function wasAskedFor({ headers }: StatusLine, { isUpgrade, headers: asked }: RequestHead): boolean {
  const chosen = listValues(headers, 'upgrade');
  return isUpgrade && chosen.length > 0 && chosen.every((each) => hasToken(asked, 'upgrade', each.toLowerCase()));
}

/**
 * It says in two ways where it ends, or in one that its version does not have (RFC 9112, 6.1), or has no body and says that it has one. What
 * comes behind it may be its body.
 */
function contradictsItself({ status, version, headers }: StatusLine): boolean {
  const lengths = listValues(headers, 'content-length');
  const isCoded = findHeader(headers, 'transfer-encoding') !== null;
  if (isCoded && (lengths.length > 0 || version === '1.0')) return true;
  return bodiless.includes(status) && (isCoded || lengths.some((each) => each !== '0'));
}

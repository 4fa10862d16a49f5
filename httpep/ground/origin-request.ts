import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { findHeader, listValues, withoutHeaders, withoutHop } from '../exchange/header-list.ts';
import { TrailersSchema, type RequestHead } from '../exchange/heads.ts';
import { writeOrWait } from '../exchange/join-socket.ts';
import { unpack } from '../exchange/pack.ts';
import { recordTypes, type ExchangeRecord } from '../exchange/read-records.ts';
import { formatTarget, readTarget } from '../exchange/target.ts';
import type { ByteReader } from '../http/byte-reader.ts';
import { frameAnswer, MessageBody, stateLength } from '../http/message-body.ts';
import { formatHead, MessageError, parseAnswerHead, readLines, type StatusLine } from '../http/message-head.ts';

/** This ground end in `Via`, by which it knows what it has asked itself. Other proxies may be HTTPEP, too. */
export const pseudonym = `httpep-${randomBytes(6).toString('hex')}`;

/** How many informational answers may come before the final one. */
const maxInformational = 100;

/** What the origin answers. */
export interface OriginAnswer extends StatusLine {
  body: MessageBody;
  /** The connection may carry another request behind it. */
  mayFollow: boolean;
}

/** The body's length is stated exactly where a body follows: else the next request on the connection would be read as part of this one. */
function formatRequest({ method, url, version, headers, hasBody, isUpgrade }: RequestHead): string {
  const kept = withoutHop(headers);
  const length = findHeader(kept, 'content-length');
  const isLengthKept = hasBody || Number(length) === 0;
  const upgrade = isUpgrade ? findHeader(headers, 'upgrade') : null;
  const added = ['Via', `${version} ${pseudonym}`];
  if (upgrade !== null) added.push('Connection', 'Upgrade', 'Upgrade', upgrade);
  else added.push('Connection', 'keep-alive');
  if (hasBody && length === null) added.push('Transfer-Encoding', 'chunked');
  return formatHead(`${method} ${formatTarget(readTarget(url)!, method)} HTTP/1.1`, [
    ...(isLengthKept ? kept : withoutHeaders(kept, ['content-length'])),
    ...added,
  ]);
}

/** Sends a request whose body comes as records. What breaks the body off ends the connection. */
export function sendRequest(
  socket: Duplex,
  { head, records }: { head: RequestHead; records: AsyncIterator<ExchangeRecord> },
): { isComplete: boolean } {
  const sending = { isComplete: false };
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
      trailers = withoutHop(unpack(bytes, TrailersSchema));
      // What follows is for an upgrade.
      if (head.isUpgrade) break;
    }
    if (isChunked) socket.write(formatHead('0', trailers), 'latin1');
    sending.isComplete = true;
  };
  send().catch(() => socket.destroy());
  return sending;
}

const lineEnd = Buffer.from('\r\n');

/** The final answer. Informational ones before it are passed on. Rejects with what prevents one. */
export async function readAnswer(
  reader: ByteReader,
  { head, onInformation }: { head: RequestHead; onInformation: (answer: StatusLine) => void },
): Promise<OriginAnswer> {
  for (let count = 0; count <= maxInformational; count++) {
    const lines = await readLines(reader, 'its answer');
    if (lines === null) throw Object.assign(new Error('it closed the connection'), { code: 'ECONNRESET' });
    const line = parseAnswerHead(lines);
    if (line.status < 200 && line.status !== 101) {
      onInformation({ ...line, headers: withoutHeaders(withoutHop(line.headers), ['content-length']) });
      continue;
    }
    if (line.status === 101 && !head.isUpgrade)
      throw new MessageError(400, 'it switched to a protocol that nobody asked for');
    const framing = frameAnswer(line, head.method);
    const { headers } = line;
    const connection = listValues(headers, 'connection').map((each) => each.toLowerCase());
    const isKept = line.version === '1.1' ? !connection.includes('close') : connection.includes('keep-alive');
    const hasBothLengths = framing.kind === 'chunked' && findHeader(headers, 'content-length') !== null;
    return {
      ...line,
      headers: stateLength(headers, framing),
      body: new MessageBody(reader, { framing, isStrict: false }),
      mayFollow: isKept && !hasBothLengths && framing.kind !== 'until-close',
    };
  }
  throw new MessageError(400, `it sent more than ${maxInformational} informational answers`);
}

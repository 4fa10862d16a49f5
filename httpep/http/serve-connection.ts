import type { Duplex } from 'node:stream';
import { actAfter, type Time } from '#core/clock/time.ts';
import { findHeader, hasToken } from '#core/http1/header-list.ts';
import { isSafe } from '../exchange/heads.ts';
import { AnswerWriter, endPolitely } from './answer-writer.ts';
import { ByteReader } from './byte-reader.ts';
import { frameRequest, MessageBody, stateLength, type Framing } from '#core/http1/message-body.ts';
import { MessageError, parseRequestHead, readLines, type RequestLine } from '#core/http1/message-head.ts';

/** How many requests of a connection are answered at a time. */
const maxPipelined = 32;

export interface ServedRequest extends RequestLine {
  /** Null: it has none. */
  body: MessageBody | null;
  /** It asks for another protocol. */
  isUpgrade: boolean;
  /** Has the bytes behind an upgrade or CONNECT. */
  reader: ByteReader;
}

export interface ConnectionHandler {
  /** Answers by `answer`. After a switch, all that comes by the socket is its own. Never throws. */
  onRequest: (request: ServedRequest, answer: AnswerWriter) => void;
  /** Answers a message that is no HTTP/1.1, and ends the connection. */
  onRefused: (error: MessageError, answer: AnswerWriter) => void;
}

export interface ConnectionLimits {
  /** How long a head may take to come, in ms. */
  headMs: number;
  /** How long a client may be silent between requests, in ms. */
  idleMs: number;
  sleep: Time['sleep'];
}

/** Serves HTTP/1.0 and 1.1 by a socket that stays open for writing when the client ends its side. Resolves after its last request. Never rejects. */
export async function serveConnection(
  socket: Duplex,
  handler: ConnectionHandler,
  limits: ConnectionLimits,
): Promise<void> {
  const reader = new ByteReader(socket);
  const waiting: AnswerWriter[] = [];
  socket.on('error', () => socket.destroy());
  // Each answer that waits has one.
  socket.setMaxListeners(2 * maxPipelined);
  const openAnswer = (
    { method, version, headers }: Pick<RequestLine, 'method' | 'version' | 'headers'>,
    body: MessageBody | null = null,
  ) => {
    const expects = findHeader(headers, 'expect') !== null;
    const asked = { method, version, isLast: isLastOf({ version, headers }), body, expects };
    const answer = new AnswerWriter(socket, { asked, before: waiting.at(-1)?.closed ?? Promise.resolve() });
    waiting.push(answer);
    void answer.closed.then(() => waiting.splice(waiting.indexOf(answer), 1));
    return answer;
  };
  try {
    for (;;) {
      const lines = await readHead(reader, { limits, waiting });
      if (lines === null) break;
      const line = parseRequestHead(lines);
      const framing: Framing = line.method === 'CONNECT' ? { kind: 'none' } : frameRequest(line);
      const body = framing.kind === 'none' ? null : new MessageBody(reader, { framing, isStrict: true });
      // At once only what is safe: RFC 9112, 9.3.2.
      if (waiting.length > 0 && ![line, ...waiting.map(({ asked }) => asked)].every(isSafe)) {
        await waiting.at(-1)!.closed;
        if (socket.destroyed || socket.writableEnded) return;
      }
      const answer = openAnswer(line, body);
      const isUpgrade = line.version === '1.1' && hasToken(line.headers, 'connection', 'upgrade');
      const headers = stateLength(line.headers, framing);
      handler.onRequest({ ...line, headers, body, isUpgrade, reader }, answer);
      if (body) await Promise.race([body.read, answer.closed]);
      if (isUpgrade) endWithClient(reader);
      if (isUpgrade || line.method === 'CONNECT') await answer.closed;
      if (answer.isSwitched) return;
      if (body && !socket.destroyed) await Promise.race([body.read, answer.rest]);
      if (answer.asked.isLast) {
        await passOverRest(reader);
        break;
      }
      if (body && !body.isComplete) {
        // What it would still send is no request.
        await answer.closed;
        endPolitely(socket);
        await passOverRest(reader);
        return;
      }
      while (waiting.length >= maxPipelined) await waiting[0]!.closed;
    }
    // A browser that closes its connection wants no answer any more.
    if (waiting.length > 0) socket.destroy();
    else socket.end();
  } catch (error) {
    if (error instanceof MessageError) handler.onRefused(error, openAnswer(unreadable));
    else socket.destroy();
  }
}

/** Of a request whose head cannot be read. */
const unreadable: Pick<RequestLine, 'method' | 'version' | 'headers'> = {
  method: '',
  version: '1.1',
  headers: ['Connection', 'close'],
};

/** Old clients say it in a field of their own. */
const ofConnection = ['connection', 'proxy-connection'];

function isLastOf({ version, headers }: Pick<RequestLine, 'version' | 'headers'>): boolean {
  const says = (token: string) => ofConnection.some((name) => hasToken(headers, name, token));
  return says('close') || (version === '1.0' && !says('keep-alive'));
}

/** A signal that is aborted without a reason makes an error, for each request. */
const noError = 'in time';

/** Null: the client has ended its side, or has been silent for too long. */
async function readHead(
  reader: ByteReader,
  { limits, waiting }: { limits: ConnectionLimits; waiting: readonly AnswerWriter[] },
): Promise<string[] | null> {
  const { headMs, idleMs, sleep } = limits;
  const over = new AbortController();
  try {
    const begun = new AbortController();
    over.signal.addEventListener('abort', () => begun.abort(noError));
    void Promise.all(waiting.map(({ closed }) => closed)).then(() =>
      actAfter(idleMs, () => reader.socket.destroy(), { sleep, signal: begun.signal }),
    );
    if (reader.bytes.length === 0 && !(await reader.fill())) return null;
    begun.abort(noError);
    const fail = () => reader.fail(new MessageError(408, 'the head of the request did not come in time'));
    actAfter(headMs, fail, { sleep, signal: over.signal });
    return await readLines(reader, 'the request', { isStrict: true });
  } finally {
    over.abort(noError);
  }
}

/** A client that leaves before its answer wants none. */
function endWithClient(reader: ByteReader): void {
  reader.fill().then(
    (isThere) => void (isThere || reader.socket.destroy()),
    () => undefined,
  );
}

/** Until the client ends its side. */
async function passOverRest(reader: ByteReader): Promise<void> {
  do reader.take(reader.bytes.length);
  while (await reader.fill());
}

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'vitest';

export interface Script {
  /** `ORIGIN` becomes HOST:PORT of the web server. */
  ask: string;
  /** What the client sends once that was answered, or it has this; by default nothing. */
  thenAsk?: string;
  thenWhen?: RegExp;
  /** What the web server sends when it has these bytes, and whether it then closes. */
  answer?: string | (() => string);
  answerWhen?: string;
  closes?: boolean | (() => boolean);
  /** What the client waits for. */
  until: Pick<RegExp, 'test'>;
  /** What the web server waits for. */
  untilOrigin?: Pick<RegExp, 'test'>;
}

export interface Seen {
  atOrigin: string;
  atClient: string;
  /** Connections to the web server. */
  connectionCount: number;
  /** Those that were open in the end. */
  openCount: number;
  /** Whether the client's connection was reset. */
  isReset: boolean;
}

export const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** What a client of the remote end at this port sends byte by byte, and what its web server answers. */
export async function playBytes(
  port: number,
  {
    ask,
    thenAsk = '',
    thenWhen = answered,
    answer = fine,
    answerWhen = '\r\n\r\n',
    closes = false,
    until,
    untilOrigin = /^/,
  }: Script,
): Promise<Seen> {
  const seen: Seen = { atOrigin: '', atClient: '', connectionCount: 0, openCount: 0, isReset: false };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    seen.connectionCount += 1;
    seen.openCount += 1;
    sockets.add(socket);
    socket.on('close', () => (seen.openCount -= 1));
    let text = '';
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (data: string) => {
      text += data;
      seen.atOrigin += data;
      if (!text.includes(answerWhen)) return;
      text = '';
      socket.write(typeof answer === 'string' ? answer : answer(), 'latin1');
      if (typeof closes === 'boolean' ? closes : closes()) socket.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connect(port, '127.0.0.1').setEncoding('latin1');
  client.on('error', () => (seen.isReset = true));
  let next = thenAsk;
  client.on('data', (data: string) => {
    seen.atClient += data;
    if (next === '' || !thenWhen.test(seen.atClient)) return;
    client.write(next.replaceAll('ORIGIN', authority), 'latin1');
    next = '';
  });
  let isClosed = false;
  client.on('close', () => (isClosed = true));
  client.write(ask.replaceAll('ORIGIN', authority), 'latin1');
  const isOver = () => (until.test(seen.atClient) || isClosed) && untilOrigin.test(seen.atOrigin);
  await expect.poll(isOver, { interval: 2 }).toBe(true);
  const { openCount } = seen;
  client.destroy();
  server.close();
  for (const socket of sockets) socket.destroy();
  return { ...seen, openCount };
}

export const get = (target: string, fields = '') => `GET ${target} HTTP/1.1\r\nHost: ORIGIN\r\n${fields}\r\n`;
export const answered = /\r\n\r\nok$/;

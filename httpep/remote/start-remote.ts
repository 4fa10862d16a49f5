import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { realTime } from '#core/clock/time.ts';
import { AppError } from '#core/app-error.ts';
import { formatHead, type RequestLine } from '#core/http1/message-head.ts';
import { readTarget, withoutHop, type ConnectHead, type RequestHead } from '../exchange/heads.ts';
import { PushStore, type PushCounts } from './pushes/push-store.ts';
import { answerError, tunnelLost, listDate } from './answer-error.ts';
import { Clients, AdmissionControl, noProxyRequest, type ClientSettings } from './clients.ts';
import { ForwardedRequest } from './forward-request.ts';
import { RemoteCounters } from './remote-counters.ts';
import { TlsEnding, type LeafCertificates } from './tls/tls-ending.ts';
import { TunnelKeeper, type KeeperOptions } from './tunnel-keeper.ts';
import { joinSocket, stillMs, untilClosed } from '../exchange/join-socket.ts';
import { pack } from '../exchange/pack.ts';
import { readRecords, encodeRecord, recordTypes } from '../exchange/read-records.ts';
import type { AnswerWriter } from '../http/answer-writer.ts';
import { serveConnection, type ServedRequest } from '../http/serve-connection.ts';
import { findHeader, listPairs, withoutHeaders } from '#core/http1/header-list.ts';

/** The head of a request must come within this time, in ms. Bodies have no limit: a push may last for hours. */
const headMs = 60_000;
/** Browsers keep their connections to a proxy. */
const idleMs = 60_000;

export interface Remote extends AsyncDisposable {
  port: number;
  /** Of the key with which TLS ends here; null: it does not. */
  trustedKey: string | null;
  /** What the ground end sent before a browser asked. */
  readonly pushes: Readonly<PushCounts>;
  readonly counters: RemoteCounters;
}

interface RemoteOptions extends KeeperOptions, ClientSettings {
  /** With which TLS ends here; null: it passes untouched. */
  leaves: LeafCertificates | null;
  /** How long a browser may be silent after CONNECT until its connection passes untouched. With `leaves` only. */
  greetingMs?: number;
  host: string;
  /** 0: any that is free. */
  port: number;
}

/** A connection of a browser. */
interface Line {
  address: string | undefined;
  /** Where TLS ended: what CONNECT asked for, and who. Null: on the connection itself. */
  ended: { authority: string; authorization: string | null } | null;
}

/** Starts the end of HTTPEP that is the proxy of browsers. Throws `port-taken`. */
export async function startRemote({ host, port, ...options }: RemoteOptions): Promise<Remote> {
  const keeper = new TunnelKeeper(options);
  const counters = new RemoteCounters(keeper.tunnel);
  const admissions = new AdmissionControl({ keeper, clients: new Clients(options), counters });
  const store = new PushStore(keeper.tunnel, options.time);
  const ending =
    options.leaves && new TlsEnding(options.leaves, { greetingMs: options.greetingMs, time: options.time });
  const limits = { headMs, idleMs, sleep: (options.time ?? realTime).sleep };
  const waiting = new Set<ForwardedRequest>();
  keeper.on('lost', () => {
    for (const each of waiting) void each.fail(tunnelLost);
  });

  const serve = (socket: Duplex, line: Line) =>
    serveConnection(
      socket,
      {
        onRequest: (request, answer) =>
          void (request.method === 'CONNECT' ? connect : forward)(request, answer, line).catch(() => socket.destroy()),
        onRefused: ({ status, message }, answer) => void answerError(answer, { status, text: message }),
      },
      limits,
    );
  const clientOf = ({ address, ended }: Line, { headers }: ServedRequest) => ({
    address,
    authorization: ended ? ended.authorization : findHeader(headers, 'proxy-authorization'),
  });

  const forward = async (request: ServedRequest, answer: AnswerWriter, line: Line) => {
    const over = answer.closed.then(() => (answer.isSwitched ? untilClosed(answer.socket) : undefined));
    const admission = admissions.admit({ from: clientOf(line, request), over }, (user) =>
      readRequestHead(request, { user, authority: line.ended?.authority ?? null }),
    );
    if ('refusal' in admission) {
      const isOfThisEnd = admission.refusal === noProxyRequest;
      if (isOfThisEnd && (isForLast(request) || isForProxy(request))) await answerAsLast(request, answer);
      else await answerError(answer, admission.refusal);
      return;
    }
    if (isForLast(request)) {
      await answerAsLast(request, answer);
      return;
    }
    const { head } = admission;
    if (head.isUpgrade) counters.add(head.user, 'connects');
    const forwarded = new ForwardedRequest({ request, answer, store, counters: counters.begin(head), ...admission });
    waiting.add(forwarded);
    await forwarded.run();
    waiting.delete(forwarded);
  };

  const connect = async (request: ServedRequest, answer: AnswerWriter, line: Line) => {
    const { socket } = answer;
    const admission = admissions.admit({ from: clientOf(line, request), over: untilClosed(socket) }, (user) =>
      line.ended ? null : readConnectTarget(request.target, user),
    );
    if ('refusal' in admission) {
      await answerError(answer, admission.refusal);
      return;
    }
    const { head, open } = admission;
    counters.add(head.user, 'connects');
    // The browser is answered at once, which saves it a round trip: a failure closes its connection.
    await answer.switch({ status: 200, reason: 'Connection established', headers: [] });
    request.reader.giveBack();
    const secure = await ending?.open(socket, head.host);
    if (secure) {
      await serve(secure, {
        address: line.address,
        ended: { authority: request.target, authorization: clientOf(line, request).authorization },
      });
      return;
    }
    const stream = open();
    stream.on('error', () => undefined);
    stream.write(encodeRecord(recordTypes.head, pack(head)));
    await joinSocket(socket, { stream, records: readRecords(stream) });
  };

  const sockets = new Set<Socket>();
  const lasting = { keepAlive: true, keepAliveInitialDelay: stillMs };
  const server = createServer({ allowHalfOpen: true, noDelay: true, ...lasting }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void serve(socket, { address: socket.remoteAddress, ended: null });
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    counters[Symbol.dispose]();
    store[Symbol.dispose]();
    await keeper[Symbol.asyncDispose]();
    throw new AppError('port-taken', `Cannot listen on ${host}:${port} (${(error as Error).message})`, {
      cause: error,
    });
  }
  return {
    port: (server.address() as AddressInfo).port,
    trustedKey: options.leaves?.trustedKey ?? null,
    pushes: store.counts,
    counters,
    async [Symbol.asyncDispose]() {
      server.close();
      store[Symbol.dispose]();
      await keeper[Symbol.asyncDispose]();
      for (const socket of sockets) socket.destroy();
      ending?.[Symbol.dispose]();
      counters[Symbol.dispose]();
    },
  };
}

/** `HOST:PORT`, IPv6 in brackets; null for what is neither. */
function readConnectTarget(target: string, user: string): ConnectHead | null {
  const parts = /^(?:\[([\da-f:.]+)\]|([^:[\]/@]+)):(\d{1,5})$/i.exec(target);
  const host = parts?.[1] ?? parts?.[2];
  const port = Number(parts?.[3]);
  return host === undefined || port < 1 || port > 65_535 ? null : { kind: 'connect', user, host, port };
}

/** What a browser asks its proxy for; null for what is not asked of a proxy. `authority`: of the host to which TLS was spoken, which is asked without its name. */
function readRequestHead(
  { method, target, version, headers, body, isUpgrade }: ServedRequest,
  { user, authority }: { user: string; authority: string | null },
): RequestHead | null {
  // What is asked of the whole host has no path: RFC 9112, 3.2.4.
  const path = target === '*' && method === 'OPTIONS' ? '' : target;
  const isOfHost = authority !== null && /^(\/|$)/.test(path);
  const url = isOfHost ? `https://${authority.replace(/:443$/, '')}${path}` : target;
  const place = readTarget(url);
  if (!place) return null;
  const kept = withoutHeaders(headers, ['proxy-authorization', 'proxy-connection']);
  return {
    kind: 'request',
    user,
    method,
    url: `${place.isSecure ? 'https' : 'http'}://${place.authority}${place.path === '' && method !== 'OPTIONS' ? '/' : place.path}`,
    version,
    hasBody: body !== null,
    isUpgrade,
    // The ground end takes `Connection` and what it names out. RFC 9112, 3.2.2: the target is what counts.
    headers: countForward(
      setHost(version === '1.0' ? withoutHeaders(kept, ['expect']) : kept, place.authority),
      method,
    ),
  };
}

function setHost(headers: readonly string[], host: string): string[] {
  const pairs = listPairs(headers);
  const isHost = ([name]: [string, string]) => name.toLowerCase() === 'host';
  const first = pairs.find(isHost);
  if (!first) return ['Host', host, ...headers];
  return pairs
    .filter((pair) => pair === first || !isHost(pair))
    .flatMap(([name, value]) => [name, name === first[0] ? host : value]);
}

/** Methods whose way is counted: RFC 9110, 7.6.2. */
const counted = ['TRACE', 'OPTIONS'];

function readForwards({ method, headers }: Pick<RequestLine, 'method' | 'headers'>): number | null {
  const value =
    counted.includes(method) && listPairs(headers).find(([name]) => name.toLowerCase() === 'max-forwards')?.[1];
  return value && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

function countForward(headers: string[], method: string): string[] {
  const forwards = readForwards({ method, headers });
  if (forwards === null || forwards === 0) return headers;
  return listPairs(headers).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === 'max-forwards' ? String(forwards - 1) : value,
  ]);
}

/** What shows who asks is not shown again: RFC 9110, 9.3.8. */
const secret = ['authorization', 'proxy-authorization', 'cookie'];

/** It asks for the last on its way, which this end is then. */
function isForLast(request: ServedRequest): boolean {
  return readForwards(request) === 0;
}

/** What is asked of no host is asked of who has it: RFC 9110, 9.3.7. */
function isForProxy({ method, target }: ServedRequest): boolean {
  return method === 'OPTIONS' && target === '*';
}

/** Answers TRACE or OPTIONS for this end. */
async function answerAsLast(request: ServedRequest, answer: AnswerWriter): Promise<void> {
  const { method, target, version, headers } = request;
  // Nobody needs its body, which may not come.
  if (request.body) answer.asked.isLast = true;
  const seen = formatHead(`TRACE ${target} HTTP/${version}`, withoutHeaders(withoutHop(headers), secret));
  const body = Buffer.from(method === 'TRACE' ? seen : '', 'latin1');
  const type = method === 'TRACE' ? ['Content-Type', 'message/http'] : [];
  const length = ['Content-Length', String(body.length)];
  await answer.begin({ status: 200, reason: 'OK', headers: [...type, ...length, ...listDate()] });
  await answer.write(body);
  await answer.end();
}

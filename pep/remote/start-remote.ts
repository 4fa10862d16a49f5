import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '#core/app-error.ts';
import { AdmissionControl, type Admission } from './admission.ts';
import { PushStore, type PushCounts } from './bundle/push-store.ts';
import { answerError, answerErrorRaw, tunnelLost, formatHead, groundRestarted } from './answer-error.ts';
import { Clients, type ClientSettings } from './clients.ts';
import { ForwardedRequest } from './forward-request.ts';
import { RemoteCounters } from './remote-counters.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { LeafCertificates } from './tls/leaf-certificates.ts';
import { TlsEnding } from './tls/tls-ending.ts';
import { TunnelKeeper, type KeeperOptions } from './tunnel-keeper.ts';
import { type ConnectHead, type RequestHead, AnswerSchema } from '../exchange/heads.ts';
import { joinSocket } from '../exchange/join-socket.ts';
import { pack, unpack } from '../exchange/pack.ts';
import { readRecords, encodeRecord, recordTypes } from '../exchange/read-records.ts';
import { listPairs, withoutHeaders } from '../exchange/header-list.ts';

const maxHeaderSize = 64 * 1024;
/** The head of a request must come within this time, in ms. Bodies have no limit: a push may last for hours. */
const defaultHeadMs = 60_000;
/** Browsers keep their connections to a proxy. */
const keepAliveTimeout = 60_000;

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
  /** How long the head of a request may take, in ms. */
  headMs?: number;
  host: string;
  /** 0: any that is free. */
  port: number;
}

/** Starts the end of HTTPEP that is the proxy of browsers. Throws `port-taken`. */
export async function startRemote({ host, port, ...options }: RemoteOptions): Promise<Remote> {
  const keeper = new TunnelKeeper(options);
  const counters = new RemoteCounters(keeper.tunnel);
  const admissions = new AdmissionControl({ keeper, clients: new Clients(options), counters });
  const store = new PushStore(keeper.tunnel, options.time);
  const waiting = new Set<ForwardedRequest>();
  keeper.on('lost', () => {
    for (const each of waiting) each.fail(tunnelLost);
  });

  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const admission = admissions.admit({ request, asked: response }, (user) => readRequestHead(request, user));
    if ('refusal' in admission) {
      answerError(response, admission.refusal);
      return;
    }
    const forwarded = new ForwardedRequest({
      request,
      response,
      store,
      counters: counters.begin(admission.head),
      ...admission,
    });
    waiting.add(forwarded);
    await forwarded.run();
    waiting.delete(forwarded);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => void forward(request, response);
  const { headMs = defaultHeadMs } = options;
  const serverOptions = {
    maxHeaderSize,
    headersTimeout: headMs,
    connectionsCheckingInterval: headMs / 4,
    requestTimeout: 0,
    keepAliveTimeout,
    noDelay: true,
  };
  const server = createServer(serverOptions);
  const ending =
    options.leaves &&
    new TlsEnding(options.leaves, { ...serverOptions, greetingMs: options.greetingMs, time: options.time });
  const servers = ending ? [server, ending.server] : [server];
  server.on('connect', (request: IncomingMessage, socket: Duplex, first: Buffer) => {
    const admission = admissions.admit({ request, asked: socket }, (user) =>
      readConnectTarget(request.url ?? '', user),
    );
    if ('head' in admission) {
      counters.add(admission.head.user, 'connects');
      answerConnect(socket);
      if (ending) {
        void ending.takeOr({ socket, request, first }, () =>
          pass({ admission, socket, first: Buffer.alloc(0) }, forwardConnect),
        );
        return;
      }
    }
    pass({ admission, socket, first }, forwardConnect);
  });
  const onUpgrade = (request: IncomingMessage, socket: Duplex, first: Buffer) => {
    const admission = admissions.admit({ request, asked: socket }, (user) => readRequestHead(request, user));
    if ('head' in admission) counters.add(admission.head.user, 'connects');
    pass({ admission, socket, first }, forwardUpgrade);
  };
  for (const each of servers) {
    for (const event of ['request', 'checkContinue', 'checkExpectation']) each.on(event, onRequest);
    each.on('upgrade', onUpgrade);
  }
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
      server.closeAllConnections();
      ending?.[Symbol.dispose]();
      counters[Symbol.dispose]();
    },
  };
}

interface Line<Head> {
  admission: Admission<Head>;
  socket: Duplex;
  /** What came with the request already. */
  first: Buffer;
}

/** Hands a connection on which HTTP is over to what speaks on it from now on. */
function pass<Head>(
  { admission, socket, first }: Line<Head>,
  forward: (socket: Duplex, asked: { stream: TunnelStream; head: Head }) => Promise<void>,
): void {
  socket.on('error', () => socket.destroy());
  if ('refusal' in admission) {
    answerErrorRaw(socket, admission.refusal);
    return;
  }
  socket.unshift(first);
  void forward(socket, { head: admission.head, stream: admission.open() });
}

/** The browser is answered at once, which saves it a round trip: a failure closes its connection. */
function answerConnect(socket: Duplex): void {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
}

/** Opens a way to a host. */
async function forwardConnect(
  socket: Duplex,
  { stream, head }: { stream: TunnelStream; head: ConnectHead },
): Promise<void> {
  stream.on('error', () => undefined);
  stream.write(encodeRecord(recordTypes.head, pack(head)));
  await joinSocket(socket, { stream, records: readRecords(stream) });
}

/** `HOST:PORT`, IPv6 in brackets; null for what is neither. */
function readConnectTarget(target: string, user: string): ConnectHead | null {
  const parts = /^(?:\[([\da-f:.]+)\]|([^:[\]/@]+)):(\d{1,5})$/i.exec(target);
  const host = parts?.[1] ?? parts?.[2];
  const port = Number(parts?.[3]);
  return host === undefined || port < 1 || port > 65_535 ? null : { kind: 'connect', user, host, port };
}

/** What a browser asks its proxy for; null for what is not asked of a proxy. */
function readRequestHead(request: IncomingMessage, user: string): RequestHead | null {
  const { url = '', method = '', headers, rawHeaders } = request;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  const target = new URL(url);
  const isUpgrade = headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
  return {
    kind: 'request',
    user,
    method,
    url: `${target.protocol}//${target.host}${target.pathname}${target.search}`,
    hasBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
    isUpgrade,
    // The ground end takes `Connection` and what it names out. RFC 9112, 3.2.2: the target is what counts.
    headers: setHost(withoutHeaders(rawHeaders, ['proxy-authorization', 'proxy-connection']), target.host),
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

/** Passes a request for another protocol on, such as WebSocket. After the answer, bytes pass both ways. */
async function forwardUpgrade(
  socket: Duplex,
  { stream, head }: { stream: TunnelStream; head: RequestHead },
): Promise<void> {
  socket.on('error', () => stream.destroy());
  stream.on('error', () => undefined);
  socket.once('close', () => stream.destroy());
  stream.write(encodeRecord(recordTypes.head, pack({ ...head, hasBody: false } satisfies RequestHead)));
  const records = readRecords(stream);
  try {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const { type, bytes } = next.value;
      if (type === recordTypes.information) socket.write(formatHead(unpack(bytes, AnswerSchema)), 'latin1');
      if (type !== recordTypes.head) continue;
      const answer = unpack(bytes, AnswerSchema);
      const isSwitched = answer.status === 101;
      const headers = isSwitched ? answer.headers : [...answer.headers, 'Connection', 'close'];
      socket.write(formatHead({ ...answer, headers }), 'latin1');
      await joinSocket(socket, { stream, records });
      return;
    }
    throw new Error('no answer');
  } catch {
    answerErrorRaw(socket, groundRestarted);
  }
}

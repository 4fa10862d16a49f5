import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '#core/app-error.ts';
import { AdmissionControl, type Admission } from './admission.ts';
import { PushStore, type PushCounts } from './bundle/push-store.ts';
import { answerError, answerErrorRaw, tunnelLost } from './answer-error.ts';
import { Clients, type ClientSettings } from './clients.ts';
import { answerConnect, forwardConnect, readConnectTarget } from './forward-connect.ts';
import { ForwardedRequest } from './forward-request.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import { RemoteCounters } from './remote-counters.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import { readRequestHead } from './read-request-head.ts';
import type { LeafCertificates } from './tls/leaf-certificates.ts';
import { TlsEnding } from './tls/tls-ending.ts';
import { TunnelKeeper, type KeeperOptions } from './tunnel-keeper.ts';

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

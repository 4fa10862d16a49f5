import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { realTime } from '#core/clock/time.ts';
import { AppError } from '#core/app-error.ts';
import { AdmissionControl } from './admission.ts';
import { PushStore, type PushCounts } from './pushes/push-store.ts';
import { answerError, tunnelLost } from './answer-error.ts';
import { Clients, type ClientSettings } from './clients.ts';
import { ForwardedRequest } from './forward-request.ts';
import { RemoteCounters } from './remote-counters.ts';
import type { LeafCertificates } from './tls/leaf-certificates.ts';
import { TlsEnding } from './tls/tls-ending.ts';
import { TunnelKeeper, type KeeperOptions } from './tunnel-keeper.ts';
import { joinSocket } from '../exchange/join-socket.ts';
import { pack } from '../exchange/pack.ts';
import { readRecords, encodeRecord, recordTypes } from '../exchange/read-records.ts';
import type { AnswerWriter } from '../http/answer-writer.ts';
import { serveConnection, type ServedRequest } from '../http/serve-connection.ts';
import { findHeader } from '#core/http1/header-list.ts';
import { answerAsLast, readConnectTarget, readRequestHead } from './read-request.ts';

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
    const admission = admissions.admit({ from: clientOf(line, request), over: answer.closed }, (user) =>
      readRequestHead(request, { user, authority: line.ended?.authority ?? null }),
    );
    if ('refusal' in admission) {
      await answerError(answer, admission.refusal);
      return;
    }
    if (await answerAsLast(request, answer)) return;
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
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
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

async function untilClosed(socket: Duplex): Promise<void> {
  await new Promise<void>((resolve) => void socket.once('close', resolve));
}

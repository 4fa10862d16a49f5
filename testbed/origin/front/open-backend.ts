import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnyResponse, keepAliveTimeoutMs } from '../create-server.ts';
import type { FrontListenerName } from '../listeners.ts';
import type { Arrival, SocketArrival } from '../open-listener.ts';
import type { TruthRecorder, ConnectionTruth } from '../truth-log.ts';
import { readFrontHeaders, unansweredHeader, type FrontedRequest } from './front-headers.ts';

const capacity = 50_000;

export interface Backend {
  port: number;
  close(): Promise<void>;
}

export interface BackendOptions {
  /** What the front's requests have, and no other's. */
  secret: string;
  recorder: TruthRecorder;
  serve: (arrival: Arrival, place: { listener: FrontListenerName; host: string }) => void;
  /** A request for a WebSocket. */
  upgrade: (arrival: SocketArrival) => void;
}

/** Where the front passes requests on to: HTTP/1.1 on the loopback interface. It answers nobody else. */
export async function openBackend({ secret, recorder, serve, upgrade }: BackendOptions): Promise<Backend> {
  const connections = new FrontConnections(recorder);
  const server = createServer({ keepAliveTimeout: keepAliveTimeoutMs }, (request, response) => {
    const fronted = readFrontHeaders(request.headers, secret);
    if (!fronted) {
      request.socket.destroy();
      return;
    }
    const { listener, host, protocol } = fronted;
    const { address: clientAddress } = fronted.client;
    const connection = { truth: connections.of(fronted), socket: request.socket, clientAddress, leaveUnanswered };
    serve({ request, response, connection, protocol }, { listener, host });
  });
  server.on('upgrade', (request, socket, head) => {
    const fronted = readFrontHeaders(request.headers, secret);
    if (!fronted) {
      socket.destroy();
      return;
    }
    const { address: clientAddress } = fronted.client;
    const connection = { truth: connections.of(fronted), socket: request.socket, clientAddress };
    upgrade({ request, socket, head, connection, hasNagle: false });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** To end the connection to the front would make it ask again. */
function leaveUnanswered(response: AnyResponse): void {
  response.setHeader(unansweredHeader, '1');
  response.end();
}

/** The connections to the front, as far as its requests show them. */
export class FrontConnections {
  readonly #recorder: Pick<TruthRecorder, 'addConnection'>;
  /** Oldest first. */
  readonly #known = new Map<string, ConnectionTruth>();

  constructor(recorder: Pick<TruthRecorder, 'addConnection'>) {
    this.#recorder = recorder;
  }

  of({ listener, protocol, client, tls }: FrontedRequest): ConnectionTruth {
    const key = `${listener} ${protocol} ${client.address} ${client.port}`;
    const known = this.#known.get(key);
    if (known) return known;
    const added = this.#recorder.addConnection({ listener, openedEpochMs: null, closedEpochMs: null, tls });
    this.#known.set(key, added);
    if (this.#known.size > capacity) this.#known.delete(this.#known.keys().next().value!);
    return added;
  }
}

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { z } from 'zod';
import { type AnyResponse, http1Options } from '../create-server.ts';
import { frontListenerNames, type FrontListenerName } from '../listeners.ts';
import type { Arrival, SocketArrival } from '../open-listener.ts';
import type { TruthRecorder, ConnectionTruth, TlsTruth } from '../truth-log.ts';

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
  const server = createServer(http1Options, (request, response) => {
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

/** What the front knows of a request, in headers that it sets. What a client sends under these names is replaced. */
const prefix = 'http-ae-front-';

/** In an answer of the origin: the front is to end the request without one. */
export const unansweredHeader = `${prefix}unanswered`;

/** By the names of HTTP that Go has. */
const protocols: Record<string, string> = {
  'HTTP/1.0': 'http/1.0',
  'HTTP/1.1': 'http/1.1',
  'HTTP/2.0': 'h2',
  'HTTP/3.0': 'h3',
};

const tlsVersions: Record<string, string> = { 'tls1.2': 'TLSv1.2', 'tls1.3': 'TLSv1.3' };

const FrontHeadersSchema = z.object({
  secret: z.string(),
  listener: z.enum(frontListenerNames),
  /** The address of the origin that it came to. */
  host: z.string().refine((host) => isIP(host) !== 0),
  protocol: z.string(),
  address: z.string(),
  port: z.coerce.number().int(),
  tls: z.string(),
  resumed: z.string(),
});

interface FrontedRequest {
  listener: FrontListenerName;
  host: string;
  protocol: string;
  client: { address: string; port: number };
  tls: TlsTruth;
}

/** The headers that the front adds, by Caddy's placeholders. https://caddyserver.com/docs/json/apps/http/ */
export function listFrontHeaders(parts: {
  secret: string;
  listener: FrontListenerName;
  host: string;
}): Record<string, string[]> {
  const values: Record<keyof z.input<typeof FrontHeadersSchema>, string> = {
    ...parts,
    protocol: '{http.request.proto}',
    address: '{http.request.remote.host}',
    port: '{http.request.remote.port}',
    tls: '{http.request.tls.version}',
    resumed: '{http.request.tls.resumed}',
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, [value]]));
}

/** Null for a request that is not the front's. */
export function readFrontHeaders(headers: IncomingHttpHeaders, secret: string): FrontedRequest | null {
  const names = Object.keys(FrontHeadersSchema.shape);
  const read = FrontHeadersSchema.safeParse(
    Object.fromEntries(names.map((name) => [name, headers[`${prefix}${name}`]])),
  );
  if (!read.success || read.data.secret !== secret) return null;
  const { listener, host, protocol, address, port, tls, resumed } = read.data;
  return {
    listener,
    host,
    protocol: protocols[protocol] ?? protocol.toLowerCase(),
    client: { address, port },
    tls: { protocol: tlsVersions[tls] ?? null, isSessionReused: resumed === 'true' },
  };
}

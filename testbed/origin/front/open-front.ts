import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { ServerCertificate } from '../certificates/issue-certificate.ts';
import { frontListenerNames, type FrontListenerName } from '../listeners.ts';
import { type Arrival, describeListenFailure } from '../open-listener.ts';
import { openBackend, listFrontHeaders, unansweredHeader, type BackendOptions } from './open-backend.ts';
import { runCaddy, type Caddy } from './run-caddy.ts';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6 } from 'node:net';

/** One address and port that the front listens on, by TCP and by UDP. */
interface FrontPlace {
  listener: FrontListenerName;
  /** What URLs call it. */
  host: string;
  address: string;
  port: number;
  /** By Caddy's names; all of them unless given. */
  protocols?: readonly ('h1' | 'h2' | 'h3')[];
}

interface FrontOptions {
  places: readonly FrontPlace[];
  /** Which of them a client gets depends on the name that it asks for. */
  certificates: readonly ServerCertificate[];
  /** Of the origin, on the loopback interface. */
  backendPort: number;
  secret: string;
}

const secondNs = 1e9;

/** More than a browser asks for at once, so that no request waits for a new connection. */
const keptConnections = 1000;

/** Ends the request, not the connection where the protocol can, without an answer. */
const abort = { handler: 'static_response', abort: true };

const attempts = 20;

export interface Front {
  ports: ReadonlyMap<FrontListenerName, number>;
  /** Aborts, with an AppError, when it ended by itself. */
  failed: AbortSignal;
  close(): Promise<void>;
}

interface OpenFrontOptions extends Omit<BackendOptions, 'secret' | 'serve'> {
  /** The addresses that it listens at, on the same ports. */
  hosts: readonly string[];
  ports: Partial<Record<FrontListenerName, number | undefined>>;
  certificate: ServerCertificate;
  /** With the place at which it arrived, and the ports of all. */
  serve: (arrival: Arrival, at: { listener: FrontListenerName; host: string; ports: Front['ports'] }) => void;
}

/** A server in front of the origin that speaks HTTP/3 too: Caddy, which passes all requests on to it. Throws `port-taken` and `testbed-failed`. */
export async function openFront({ hosts, ports, certificate, serve, ...options }: OpenFrontOptions): Promise<Front> {
  const secret = randomBytes(16).toString('hex');
  const addressed = hosts.flatMap((host) => listAddresses(host).map((address) => ({ host, address })));
  const addresses = addressed.map(({ address }) => address);
  const chosen = new Map<FrontListenerName, number>();
  await using opening = new AsyncDisposableStack();
  const backend = opening.adopt(
    await openBackend({
      ...options,
      serve: (arrival, place) => serve(arrival, { ...place, ports: chosen }),
      secret,
    }),
    (each) => each.close(),
  );
  const caddy = opening.adopt(await startCaddy(), (each) => each.close());
  const opened = opening.move();
  return { ports: chosen, failed: caddy.failed, close: () => opened.disposeAsync() };

  /** A port that was free when it was chosen may be another program's by now: then others are chosen. */
  async function startCaddy(attempt = 1): Promise<Caddy> {
    chosen.clear();
    for (const name of frontListenerNames)
      chosen.set(name, await choosePort({ name, addresses, wanted: ports[name] ?? 0, taken: [...chosen.values()] }));
    const places = [...chosen].flatMap(([listener, port]) => addressed.map((place) => ({ ...place, listener, port })));
    try {
      return await runCaddy(configureCaddy({ places, certificates: [certificate], backendPort: backend.port, secret }));
    } catch (error) {
      const isChosen = frontListenerNames.some((name) => !ports[name]);
      if (!isChosen || attempt === attempts || !/address already in use/i.test((error as Error).message)) throw error;
      return startCaddy(attempt + 1);
    }
  }
}

/** Browsers look for `localhost`, the other origin, at both loopback addresses, and for HTTP/3 may try only the first. */
function listAddresses(host: string): string[] {
  const loopback = ['127.0.0.1', '::1'];
  if (!loopback.includes(host)) return [host];
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  return loopback.filter((address) => address === host || own.includes(address));
}

async function choosePort({
  name,
  addresses,
  wanted,
  taken,
}: {
  name: FrontListenerName;
  addresses: readonly string[];
  wanted: number;
  /** By the listeners before it. */
  taken: readonly number[];
}): Promise<number> {
  try {
    return await findFreePort(addresses, { wanted, taken });
  } catch (cause) {
    throw describeListenFailure({ name, host: addresses[0]!, port: wanted }, cause);
  }
}

/** A port that is free for TCP and UDP at all of these addresses; or the one that is wanted, which must be. Rejects with the system's error. */
async function findFreePort(
  hosts: readonly string[],
  { wanted, taken }: { wanted: number; taken: readonly number[] },
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const port = await tryPort(hosts, wanted);
      if (wanted !== 0 || !taken.includes(port)) return port;
    } catch (error) {
      if (wanted !== 0 || attempt === attempts) throw error;
    }
  }
}

async function tryPort(hosts: readonly string[], wanted: number): Promise<number> {
  await using held = new AsyncDisposableStack();
  let port = wanted;
  for (const host of hosts) {
    const server = held.adopt(createServer(), async (each) => {
      const closed = once(each, 'close');
      each.close();
      await closed;
    });
    server.listen(port, host);
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    const socket = held.adopt(createSocket(isIPv6(host) ? 'udp6' : 'udp4'), async (each) => {
      const closed = once(each, 'close');
      each.close();
      await closed;
    });
    socket.bind(port, host);
    await once(socket, 'listening');
  }
  return port;
}

/**
 * The configuration of Caddy, in its JSON: it writes no file, asks nobody for certificates, and takes no orders. Answers leave as the origin gives them: byte for byte, and each part at once.
 * https://caddyserver.com/docs/json/
 */
export function configureCaddy({ places, certificates, backendPort, secret }: FrontOptions): object {
  const servers = places.map(({ listener, host, address, port, protocols = ['h1', 'h2', 'h3'] }) => [
    `${listener} ${address}`,
    {
      listen: [`${isIPv6(address) ? `[${address}]` : address}:${port}`],
      protocols,
      automatic_https: { disable: true },
      tls_connection_policies: [{}],
      routes: [
        { handle: [offerHttp3(port), passOn({ backendPort, headers: listFrontHeaders({ secret, listener, host }) })] },
      ],
      errors: { routes: [{ handle: [abort] }] },
    },
  ]);
  return {
    admin: { disabled: true, config: { persist: false } },
    logging: { logs: { default: { level: 'INFO' } } },
    apps: {
      tls: { certificates: { load_pem: certificates.map(({ cert, key }) => ({ certificate: cert, key })) } },
      http: { servers: Object.fromEntries(servers) as Record<string, object> },
    },
  };
}

/**
 * In answers over HTTP/3 too, which Caddy leaves out. Chrome that is made to use HTTP/3 takes it from there that the server knows priorities. Without it, Chrome
 * has at most 6 images of a host under way, as over HTTP/1.1.
 */
function offerHttp3(port: number): object {
  return { handler: 'headers', response: { set: { 'Alt-Svc': [`h3=":${port}"; ma=2592000`] } } };
}

function passOn({ backendPort, headers }: { backendPort: number; headers: Record<string, string[]> }): object {
  return {
    handler: 'reverse_proxy',
    upstreams: [{ dial: `127.0.0.1:${backendPort}` }],
    headers: { request: { set: headers } },
    // In nanoseconds. With -1, a client that goes away would not end the request to the origin.
    flush_interval: 1,
    transport: {
      protocol: 'http',
      versions: ['1.1'],
      compression: false,
      // Shorter than the origin keeps them.
      keep_alive: { idle_timeout: 60 * secondNs, max_idle_conns: 0, max_idle_conns_per_host: keptConnections },
    },
    handle_response: [{ match: { headers: { [unansweredHeader]: ['*'] } }, routes: [{ handle: [abort] }] }],
  };
}

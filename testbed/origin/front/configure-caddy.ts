import { isIPv6 } from 'node:net';
import type { ServerCertificate } from '../certificates/issue-certificate.ts';
import type { FrontListenerName } from '../listeners.ts';
import { listFrontHeaders, unansweredHeader } from './front-headers.ts';

/** One address and port that the front listens on, by TCP and by UDP. */
export interface FrontPlace {
  listener: FrontListenerName;
  /** What URLs call it. */
  host: string;
  address: string;
  port: number;
}

export interface FrontOptions {
  places: readonly FrontPlace[];
  certificate: ServerCertificate;
  /** Of the origin, on the loopback interface. */
  backendPort: number;
  secret: string;
}

const secondNs = 1e9;

/** More than a browser asks for at once, so that no request waits for a new connection. */
const keptConnections = 1000;

/** Ends the request, not the connection where the protocol can, without an answer. */
const abort = { handler: 'static_response', abort: true };

/**
 * The configuration of Caddy, in its JSON: it writes no file, asks nobody for certificates, and takes no orders. Answers leave as the origin gives them: byte for byte, and each part at once.
 * https://caddyserver.com/docs/json/
 */
export function configureCaddy({ places, certificate, backendPort, secret }: FrontOptions): object {
  const servers = places.map(({ listener, host, address, port }) => [
    `${listener} ${address}`,
    {
      listen: [`${isIPv6(address) ? `[${address}]` : address}:${port}`],
      protocols: ['h1', 'h2', 'h3'],
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
      tls: { certificates: { load_pem: [{ certificate: certificate.cert, key: certificate.key }] } },
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

import { connect, isIP, type Socket } from 'node:net';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import { isLocalhost } from '#core/protocol/loopback.ts';
import { hashPublicKey, listChain } from '../../../certificates/read-certificate.ts';
import { asNetworkError, NetworkError } from './network-error.ts';
import { request } from 'node:http';
import { SocksClient } from 'socks';
import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';

export type HttpVersion = 'http/1.0' | 'http/1.1' | 'h2';

/** When the parts of opening a connection took place, epoch ms; the handshake is null for one without TLS. */
export interface ConnectionTimes {
  lookupStartEpochMs: number;
  lookupEndEpochMs: number;
  connectStartEpochMs: number;
  secureStartEpochMs: number | null;
  connectEndEpochMs: number;
}

export interface OpenedConnection {
  socket: Socket;
  version: HttpVersion;
  times: ConnectionTimes;
  /** Null where a proxy hides it. */
  serverAddress: string | null;
}

/** How long each but the last address of a host may take to answer. Unless it is asked for more, Node gives one up sooner than a satellite answers. */
const addressMs = 2000;

/** What connections of one client have in common. */
export interface ConnectionSettings {
  browser: Pick<BrowserSettings, 'proxy' | 'protocols' | 'trustedKeys'>;
  resolver: HostResolver;
  /** TLS sessions to resume, by origin. */
  tlsSessions: Map<string, Buffer>;
  nowEpochMs: EpochClock;
}

/** Opens a connection to an origin, by the proxy where there is one. Rejects with a NetworkError. */
export async function openConnection(
  origin: URL,
  settings: ConnectionSettings,
  signal: AbortSignal,
): Promise<OpenedConnection> {
  const { browser, resolver, nowEpochMs } = settings;
  const proxy = browser.proxy === undefined ? null : new URL(browser.proxy);
  const sockets: Socket[] = [];
  const onAbort = () => sockets.forEach((socket) => socket.destroy(signal.reason as Error));
  signal.addEventListener('abort', onAbort);
  try {
    const lookupStartEpochMs = nowEpochMs();
    const addresses = await blameProxy(proxy, resolver.resolve((proxy ?? origin).hostname));
    const lookupEndEpochMs = nowEpochMs();
    signal.throwIfAborted();
    const tcp = connect({
      host: (proxy ?? origin).hostname.replace(/^\[(.*)\]$/, '$1'),
      port: portOf(proxy ?? origin),
      lookup: (_host, { all }, callback) =>
        all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressMs,
      noDelay: true,
    });
    sockets.push(tcp);
    await blameProxy(proxy, once(tcp, 'connect'));
    const plain = proxy ? await blameProxy(proxy, passProxy(tcp, { proxy, origin, settings, signal })) : tcp;
    const isSecure = origin.protocol === 'https:';
    const secureStartEpochMs = isSecure ? nowEpochMs() : null;
    const socket = isSecure ? await secureOrigin(plain, origin, settings) : plain;
    signal.throwIfAborted();
    const times = {
      lookupStartEpochMs,
      lookupEndEpochMs,
      connectStartEpochMs: lookupEndEpochMs,
      secureStartEpochMs,
      connectEndEpochMs: nowEpochMs(),
    };
    return {
      socket,
      version: settleVersion(socket, browser.protocols),
      times,
      serverAddress: proxy ? null : (tcp.remoteAddress ?? null),
    };
  } catch (error) {
    sockets.forEach((socket) => socket.destroy());
    throw asNetworkError(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return { 'https:': 443, 'socks4:': 1080, 'socks5:': 1080 }[url.protocol] ?? 80;
}

/** Whether requests to an origin are sent to the proxy itself, with the whole address, instead of through a tunnel. */
export function isForwarded(origin: URL, proxyAddress: string | undefined): boolean {
  return origin.protocol === 'http:' && proxyAddress !== undefined && /^https?:/.test(proxyAddress);
}

async function blameProxy<T>(proxy: URL | null, step: Promise<T>): Promise<T> {
  if (!proxy) return step;
  try {
    return await step;
  } catch (error) {
    throw new NetworkError('proxy-failure', `The proxy ${proxy.host}: ${asNetworkError(error).message}`, error);
  }
}

async function passProxy(
  tcp: Socket,
  { proxy, origin, settings, signal }: { proxy: URL; origin: URL; settings: ConnectionSettings; signal: AbortSignal },
): Promise<Socket> {
  const end = { hostname: origin.hostname, port: portOf(origin) };
  if (proxy.protocol.startsWith('socks')) return openSocksTunnel(tcp, proxy.protocol === 'socks4:' ? 4 : 5, end);
  const { trustedKeys } = settings.browser;
  const toProxy =
    proxy.protocol === 'https:'
      ? await secureSocket(tcp, { hostname: proxy.hostname, protocols: ['http/1.1'], trustedKeys })
      : tcp;
  return isForwarded(origin, proxy.href) ? toProxy : openHttpTunnel(toProxy, end, signal);
}

function secureOrigin(plain: Socket, origin: URL, { browser, tlsSessions }: ConnectionSettings): Promise<Socket> {
  const { protocols = ['h2', 'http/1.1'], trustedKeys } = browser;
  const session = tlsSessions.get(origin.origin);
  return secureSocket(plain, {
    hostname: origin.hostname,
    // Browsers offer the newest first; HTTP/1.0 has no name that servers know.
    protocols: (['h2', 'http/1.1'] as const).filter((name) => protocols.includes(name)),
    trustedKeys,
    ...(session && { session }),
    onSession: (next) => tlsSessions.set(origin.origin, next),
  });
}

/** Without TLS nothing is negotiated: a client that may speak HTTP/2 only takes it for granted (RFC 9113 section 3.3), any other speaks its HTTP/1. */
function settleVersion(socket: Socket, protocols: BrowserSettings['protocols'] = ['h2', 'http/1.1']): HttpVersion {
  const negotiated = 'alpnProtocol' in socket ? socket.alpnProtocol : null;
  if (negotiated === 'h2') return 'h2';
  if (protocols.includes('http/1.1')) return 'http/1.1';
  if (protocols.includes('http/1.0')) return 'http/1.0';
  if (negotiated !== null)
    throw new NetworkError('tls-failure', 'The server does not speak HTTP/2, and nothing else is allowed');
  return 'h2';
}

interface TunnelEnd {
  hostname: string;
  port: number;
}

/** A tunnel through an HTTP proxy (CONNECT, RFC 9110 section 9.3.6) over a connection to it. */
async function openHttpTunnel(socket: Socket, { hostname, port }: TunnelEnd, signal: AbortSignal): Promise<Socket> {
  const authority = `${hostname}:${port}`;
  const asked = request({
    method: 'CONNECT',
    path: authority,
    headers: { host: authority },
    createConnection: () => socket,
    signal,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  asked.once('error', reject);
  asked.once('response', (response) =>
    reject(new NetworkError('proxy-failure', `The proxy answered CONNECT with HTTP ${response.statusCode}`)),
  );
  asked.once('connect', (response, tunnel, head) => {
    if (response.statusCode !== 200)
      return reject(new NetworkError('proxy-failure', `The proxy answered CONNECT with HTTP ${response.statusCode}`));
    if (head.length > 0) tunnel.unshift(head);
    resolve(tunnel);
  });
  asked.end();
  return promise;
}

/** A tunnel through a SOCKS proxy over a connection to it; the proxy resolves the name. */
async function openSocksTunnel(socket: Socket, version: 4 | 5, { hostname, port }: TunnelEnd): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  // It takes over a connection that is there already; host and port of the proxy are then not used.
  const { socket: tunnel } = await SocksClient.createConnection({
    proxy: { host: '0.0.0.0', port: 1080, type: version },
    command: 'connect',
    destination: { host, port },
    existing_socket: socket,
  });
  return tunnel;
}

/** Asks for the addresses of each host name once: a browser that has just started knows none, and then remembers them. */
export class HostResolver {
  readonly #known = new Map<string, Promise<LookupAddress[]>>();

  /** Rejects with the error of getaddrinfo(3). */
  resolve(hostname: string): Promise<LookupAddress[]> {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(host);
    if (family) return Promise.resolve([{ address: host, family }]);
    const known = this.#known.get(host) ?? lookup(isLocalhost(host) ? 'localhost' : host, { all: true });
    this.#known.set(host, known);
    // A failure is not remembered.
    known.catch(() => this.#known.delete(host));
    return known;
  }
}

interface TlsOptions {
  /** Names and addresses as in a URL. */
  hostname: string;
  protocols: readonly string[];
  /** Base64 SHA-256 of public keys to trust without a chain to a known authority. */
  trustedKeys: readonly string[];
  /** To resume; a full handshake when left out. */
  session?: Buffer;
  onSession?: (session: Buffer) => void;
}

/** Makes a TLS connection over a socket. Rejects with `tls-failure` when the other side cannot be trusted. */
async function secureSocket(
  socket: Socket,
  { hostname, protocols, trustedKeys, session, onSession }: TlsOptions,
): Promise<TLSSocket> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(protocols.length > 0 && { ALPNProtocols: [...protocols] }),
    ...(session && { session }),
    // Judged below: a trusted key needs no chain.
    rejectUnauthorized: false,
  });
  if (onSession) secure.on('session', onSession);
  try {
    await once(secure, 'secureConnect');
    refuseUntrusted(secure, trustedKeys);
    return secure;
  } catch (error) {
    secure.destroy();
    throw error;
  }
}

function refuseUntrusted(secure: TLSSocket, trustedKeys: readonly string[]): void {
  if (secure.authorized) return;
  // A resumed session was judged when it began, and shows no certificate again.
  if (secure.isSessionReused()) return;
  if (
    listChain(secure.getPeerCertificate(true)).some((certificate) =>
      trustedKeys.includes(hashPublicKey(certificate.raw)),
    )
  )
    return;
  throw new NetworkError('tls-failure', `The certificate is not trusted: ${String(secure.authorizationError)}`);
}

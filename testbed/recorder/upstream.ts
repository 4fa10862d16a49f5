import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, getCACertificates, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { SiteHost } from '#core/site/site.ts';
import { hashPublicKey } from '../origin/start-origin.ts';
import type { SocksRequest } from './socks-request.ts';

/** A connection to a server. */
export interface Upstream extends Pick<SiteHost, 'address' | 'certificateNames' | 'certificateChain'> {
  socket: Socket | TLSSocket;
  scheme: 'http' | 'https';
  protocol: 'http/1.1' | 'h2';
  /** TCP: one round trip. The look-up of the name is before it. */
  connectMs: number;
  /** Null without TLS. */
  tlsMs: number | null;
}

const mostChain = 20;

/** Connects by TCP. The signal ends the connection, also once it is there. */
export async function openUpstream(
  { host, port }: SocksRequest,
  { readEpochMs, signal }: { readEpochMs: EpochClock; signal: AbortSignal },
): Promise<Upstream> {
  let startEpochMs = readEpochMs();
  const socket = connect({ host, port, noDelay: true });
  socket.on('connectionAttempt', () => (startEpochMs = readEpochMs()));
  await readySocket(socket, 'connect', signal);
  return {
    socket,
    scheme: 'http',
    protocol: 'http/1.1',
    address: socket.remoteAddress ?? null,
    connectMs: readEpochMs() - startEpochMs,
    tlsMs: null,
    certificateNames: [],
    certificateChain: null,
  };
}

/** The same connection with TLS, which the signal ends too. Throws where the certificate is neither valid here nor of a trusted key. */
export async function secureUpstream(
  upstream: Upstream,
  {
    host,
    protocols,
    trustedKeys,
    readEpochMs,
    signal,
  }: {
    host: string;
    protocols: string[];
    trustedKeys: readonly string[];
    readEpochMs: EpochClock;
    signal: AbortSignal;
  },
): Promise<Upstream> {
  const startEpochMs = readEpochMs();
  const socket = connectTls({
    socket: upstream.socket,
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: protocols,
    rejectUnauthorized: false,
  });
  await readySocket(socket, 'secureConnect', signal);
  const tlsMs = readEpochMs() - startEpochMs;
  const chain = listChain(socket.getPeerCertificate(true));
  if (!socket.authorized && !chain.some(({ raw }) => trustedKeys.includes(hashPublicKey(raw)))) {
    socket.destroy();
    throw new Error(
      `its certificate is not trusted here (${String(socket.authorizationError)}): trust its key with --trusted-key`,
    );
  }
  const sent = chain.filter(({ raw }) => !isRootOfThisMachine(raw));
  return {
    ...upstream,
    socket,
    scheme: 'https',
    protocol: socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1',
    tlsMs,
    certificateNames: readNames(chain[0]?.subjectaltname),
    certificateChain: { count: sent.length, bytes: sent.reduce((sum, { raw }) => sum + raw.length, 0) },
  };
}

async function readySocket(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  try {
    await once(socket, event, { signal });
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    // What ends it later is seen by those who read and write.
    socket.on('error', () => socket.destroy());
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** From the server's own to the last that is known. */
function listChain(own: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  // Without a certificate it is an empty object.
  let next: Partial<DetailedPeerCertificate> | undefined = own;
  while (next?.raw && chain.length < mostChain && chain.at(-1) !== next) {
    chain.push(next as DetailedPeerCertificate);
    next = next.issuerCertificate;
  }
  return chain;
}

let roots: ReadonlySet<string> | null = null;

/** Node adds it to the chain; servers do not send what every client has. */
function isRootOfThisMachine(raw: Buffer): boolean {
  roots ??= new Set(getCACertificates('default').map((pem) => new X509Certificate(pem).fingerprint256));
  return roots.has(new X509Certificate(raw).fingerprint256);
}

function readNames(subjectAltName = ''): string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^\s,"]+)/g)]
    .map(([, name]) => name!.slice(0, 253))
    .slice(0, 1000);
}

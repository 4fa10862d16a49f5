import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { actAfter, type Time } from '#core/clock/time.ts';
import { readTarget, type RequestHead, type Target } from '../exchange/heads.ts';
import { ByteReader } from '../http/byte-reader.ts';
import type { AddressPolicy } from './address-policy.ts';
import { addressMs, checkLiteral, type NameLookups } from './name-lookups.ts';
import { createHash, X509Certificate } from 'node:crypto';
import { connect, type ConnectionOptions, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';

/** How many connections to one origin a user may have, as many as requests are sent at a time. */
const maxOfUser = 64;
/** How many connections may be kept that nobody uses, and how long. */
const maxIdle = 256;
const idleMs = 30_000;
/** The longest that an origin may be silent. */
const silenceMs = 600_000;

/** How long a host may take to accept a connection: the kernel would wait for two minutes. */
const connectMs = 30_000;

/** A connection to an origin, for one request at a time. */
export interface OriginConnection {
  reader: ByteReader;
  /** It has carried a request before. */
  isReused: boolean;
  /** Whether it may carry another one. Once. */
  release: (isReusable: boolean) => void;
}

/** How many requests of a user are under way to an origin, and which wait. */
interface Queue {
  count: number;
  waiting: (() => void)[];
}

interface OriginOptions {
  mayReach: AddressPolicy;
  names: NameLookups;
  /** Base64 SHA-256 of keys of web servers that no known authority vouches for. */
  trustedKeys: readonly string[];
  sleep: Time['sleep'];
}

/** Connections to origins, which are kept. */
export class OriginConnections implements Disposable {
  readonly #mayReach: AddressPolicy;
  readonly #names: NameLookups;
  readonly #trustedKeys: readonly string[];
  readonly #sleep: Time['sleep'];
  readonly #queues = new Map<string, Queue>();
  readonly #idle = new Map<ByteReader, { origin: string; forget: () => void }>();
  readonly #sockets = new Set<Socket>();

  constructor({ mayReach, names, trustedKeys, sleep }: OriginOptions) {
    this.#mayReach = mayReach;
    this.#names = names;
    this.#trustedKeys = trustedKeys;
    this.#sleep = sleep;
  }

  /** A connection for a request, in the turn of its user. `isFresh`: not one that was kept, but in its place. Rejects with RefusedAddressError, and with what prevents a connection. */
  async take({ url, user, isUpgrade }: RequestHead, { isFresh }: { isFresh: boolean }): Promise<OriginConnection> {
    const target = readTarget(url)!;
    checkLiteral(target.host, this.#mayReach);
    // Of one user: a web server may take a connection for a person (RFC 9110, 3.3).
    const origin = `${user} ${target.isSecure} ${target.authority}`;
    const leave = await this.#enter(origin);
    try {
      const idle = this.#findIdle(origin);
      if (isFresh) idle?.socket.destroy();
      const kept = isFresh ? null : idle;
      const reader = kept ?? new ByteReader(await this.#connect(target, user));
      const socket = reader.socket as Socket;
      socket.setTimeout(silenceMs);
      // Behind an upgrade, each side may end first.
      socket.allowHalfOpen = isUpgrade;
      let isReleased = false;
      const release = (isReusable: boolean) => {
        if (isReleased) return;
        isReleased = true;
        leave();
        if (isReusable && reader.bytes.length === 0 && !socket.destroyed) this.#keep(reader, origin);
        else socket.destroy();
      };
      return { reader, isReused: kept !== null, release };
    } catch (error) {
      leave();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #connect({ isSecure, host, port }: Target, user: string): Promise<Socket> {
    const lookup = this.#names.of({ user, mayReach: this.#mayReach });
    const place = { host, port, lookup, noDelay: true, autoSelectFamilyAttemptTimeout: addressMs };
    const socket = isSecure
      ? await connectTrusted({ ...place, ...(isIP(host) === 0 ? { servername: host } : {}) }, this.#trustedKeys)
      : await connected(limitConnecting(connectTcp(place), this.#sleep));
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => giveUp(socket));
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  /** Resolves in the user's turn, to what ends it. */
  async #enter(key: string): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { count: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.count < maxOfUser) queue.count += 1;
    else await new Promise<void>((resolve) => void queue.waiting.push(resolve));
    return () => {
      const next = queue.waiting.shift();
      if (next) next();
      else queue.count -= 1;
      if (queue.count === 0) this.#queues.delete(key);
    };
  }

  #findIdle(origin: string): ByteReader | null {
    // The last that was used is the least likely to be closed.
    for (const [reader, idle] of [...this.#idle].toReversed()) {
      if (idle.origin !== origin) continue;
      idle.forget();
      return reader;
    }
    return null;
  }

  /** What comes while nobody asks answers nobody: it ends the connection. */
  #keep(reader: ByteReader, origin: string): void {
    const socket = reader.socket as Socket;
    const end = () => socket.destroy();
    const forget = () => {
      this.#idle.delete(reader);
      for (const event of ['readable', 'end', 'timeout']) socket.off(event, end);
      socket.off('close', forget);
    };
    for (const event of ['readable', 'end', 'timeout']) socket.on(event, end);
    socket.once('close', forget);
    socket.setTimeout(idleMs);
    this.#idle.set(reader, { origin, forget });
    if (this.#idle.size > maxIdle) [...this.#idle.keys()][0]!.socket.destroy();
  }
}

/** Gives a connection up that is not there in time. */
export function limitConnecting(socket: Socket, sleep: Time['sleep']): Socket {
  const over = new AbortController();
  for (const event of ['connect', 'close']) socket.once(event, () => over.abort());
  actAfter(connectMs, () => giveUp(socket), { sleep, signal: over.signal });
  return socket;
}

function giveUp(socket: Socket): void {
  socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
}

async function connected(socket: Socket): Promise<Socket> {
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve();
    });
    socket.once('error', reject);
  });
  return socket;
}

/** How long a server may take to greet. */
const greetingMs = 30_000;
/** No chain of certificates is longer. */
const maxDepth = 8;

/**
 * Connects to a server with a certificate of a known authority, or one that shows one of these keys: base64 SHA-256 of public keys. Nothing is
 * sent before the server is trusted. Rejects with what prevents that.
 */
async function connectTrusted(options: ConnectionOptions, trustedKeys: readonly string[]): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const socket = connect({
    ...options,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: trustedKeys.length === 0,
  });
  const onSilence = () => giveUp(socket);
  socket.once('error', reject);
  socket.setTimeout(greetingMs, onSilence);
  socket.once('secureConnect', () => {
    socket.off('error', reject);
    socket.off('timeout', onSilence);
    socket.setTimeout(0);
    if (socket.authorized || shows(socket, trustedKeys)) {
      resolve(socket);
      return;
    }
    socket.destroy();
    reject(new Error(`its certificate is not trusted: ${String(socket.authorizationError)}`));
  });
  return await promise;
}

/** The server's certificate, or one above it, has a trusted key. */
function shows(socket: TLSSocket, trustedKeys: readonly string[]): boolean {
  let shown = socket.getPeerCertificate(true);
  for (let depth = 0; isShown(shown) && depth < maxDepth; depth++) {
    const certificate = new X509Certificate(shown.raw);
    if (trustedKeys.includes(hashPublicKey(certificate))) return true;
    shown = shown.issuerCertificate;
    // Anybody can show a certificate: what counts is what it has signed.
    if (!isShown(shown) || !certificate.verify(new X509Certificate(shown.raw).publicKey)) return false;
  }
  return false;
}

/** Node gives an object without anything, or nothing, for a certificate that was not shown. */
function isShown(certificate: Partial<DetailedPeerCertificate> | undefined): boolean {
  return certificate?.raw !== undefined;
}

function hashPublicKey({ publicKey }: X509Certificate): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}

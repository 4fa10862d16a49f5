import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket, createSecureContext, type SecureContext } from 'node:tls';
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { actAfter, realTime, type Time } from '#core/clock/time.ts';

/** How long a browser may take to begin to speak, and then to greet. */
const defaultGreetingMs = 10_000;
/** The first byte of a TLS greeting. */
const handshakeByte = 0x16;

export interface TlsEndingOptions {
  greetingMs?: number | undefined;
  /** Of this process unless given. */
  time?: Time | undefined;
}

/** Ends TLS in place of the web servers, for browsers that trust the key. */
export class TlsEnding implements Disposable {
  readonly #leaves: LeafCertificates;
  readonly #greetingMs: number;
  readonly #sleep: Time['sleep'];
  readonly #sockets = new Set<Duplex>();

  constructor(leaves: LeafCertificates, { greetingMs = defaultGreetingMs, time = realTime }: TlsEndingOptions) {
    this.#leaves = leaves;
    this.#greetingMs = greetingMs;
    this.#sleep = time.sleep;
  }

  /** Ends all connections. */
  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** What is said inside of TLS to a host; null where something else is spoken, and its bytes are there still: in SMTP, the server speaks first. Throws when the browser leaves. */
  async open(socket: Duplex, host: string): Promise<Duplex | null> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const bytes = await this.#readFirst(socket);
    if (bytes) socket.unshift(bytes);
    return bytes?.[0] === handshakeByte ? await this.#greet(socket, host) : null;
  }

  async #greet(socket: Duplex, host: string): Promise<Duplex> {
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: await this.#leaves.contextOf(host),
      ALPNProtocols: ['http/1.1'],
    });
    secure.on('error', () => socket.destroy());
    const greeted = new AbortController();
    actAfter(this.#greetingMs, () => socket.destroy(), { sleep: this.#sleep, signal: greeted.signal });
    for (const event of ['secure', 'close']) secure.once(event, () => greeted.abort());
    return secure;
  }

  /** Null: the browser says nothing for too long. */
  async #readFirst(socket: Duplex): Promise<Buffer | null> {
    const over = new AbortController();
    const silent = new AbortController();
    actAfter(this.#greetingMs, () => silent.abort(), { sleep: this.#sleep, signal: over.signal });
    try {
      return await readFirst(socket, silent.signal);
    } finally {
      over.abort();
    }
  }
}

/** Null: the browser says nothing until `signal`. */
async function readFirst(socket: Duplex, signal: AbortSignal): Promise<Buffer | null> {
  for (;;) {
    const bytes = socket.read() as Buffer | null;
    if (bytes) return bytes;
    if (socket.readableEnded || socket.destroyed) throw new Error('The browser closed the connection');
    try {
      await Promise.race([once(socket, 'readable', { signal }), once(socket, 'end', { signal })]);
    } catch (error) {
      if (!signal.aborted) throw error;
      return null;
    }
  }
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;
/** How many hosts are remembered. */
const maxHosts = 500;

/** Certificates for any host, all of one key: browsers that trust the key trust them. */
export class LeafCertificates {
  /** Base64 SHA-256 of the public key, as Chrome takes it. https://www.rfc-editor.org/rfc/rfc7469#section-2.4 */
  readonly trustedKey: string;
  readonly #pem: string;
  readonly #keys: CryptoKeyPair;
  readonly #contexts = new Map<string, Promise<SecureContext>>();

  private constructor(pem: string, keys: CryptoKeyPair) {
    this.#pem = pem;
    this.#keys = keys;
    const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' });
    this.trustedKey = createHash('sha256').update(spki).digest('base64');
  }

  /** `pem`: a private key on P-256, in PKCS #8. Rejects for another one. */
  static async open(pem: string): Promise<LeafCertificates> {
    const [privateDer, publicDer] = [
      createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
      createPublicKey(pem).export({ type: 'spki', format: 'der' }),
    ];
    const [privateKey, publicKey] = await Promise.all([
      crypto.subtle.importKey('pkcs8', new Uint8Array(privateDer), algorithm, false, ['sign']),
      crypto.subtle.importKey('spki', new Uint8Array(publicDer), algorithm, true, ['verify']),
    ]);
    return new LeafCertificates(pem, { privateKey, publicKey });
  }

  /** For a TLS server that answers for the host. */
  contextOf(host: string): Promise<SecureContext> {
    const known = this.#contexts.get(host);
    if (known) return known;
    const [oldest] = this.#contexts.keys();
    if (this.#contexts.size >= maxHosts && oldest !== undefined) this.#contexts.delete(oldest);
    const made = this.#make(host);
    this.#contexts.set(host, made);
    return made;
  }

  async #make(host: string): Promise<SecureContext> {
    const nowEpochMs = Date.now();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=HTTPEP',
      keys: this.#keys,
      notBefore: new Date(nowEpochMs - dayMs),
      // Browsers refuse leaves that are valid for longer than 398 days.
      notAfter: new Date(nowEpochMs + 365 * dayMs),
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([{ type: isIP(host) ? 'ip' : 'dns', value: host }]),
      ],
    });
    return createSecureContext({ key: this.#pem, cert: certificate.toString('pem') });
  }
}

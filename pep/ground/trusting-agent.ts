import { createHash, X509Certificate } from 'node:crypto';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect, type ConnectionOptions, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';

/** How long a server may take to greet. */
const greetingMs = 30_000;
/** No chain of certificates is longer. */
const maxDepth = 8;

/** Connects to servers with a certificate of a known authority, and to those that show one of these keys. */
export class TrustingAgent extends HttpsAgent {
  readonly #trustedKeys: readonly string[];

  /** `trustedKeys`: base64 SHA-256 of public keys. */
  constructor(options: AgentOptions, trustedKeys: readonly string[]) {
    super(options);
    this.#trustedKeys = trustedKeys;
  }

  /** Nothing is sent before the server is trusted. */
  override createConnection(
    options: ConnectionOptions,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    if (this.#trustedKeys.length === 0) return super.createConnection(options, callback);
    const socket = connect({ ...options, rejectUnauthorized: false });
    const onError = (error: Error) => callback?.(error, socket);
    const onSilence = () => {
      socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    };
    socket.once('error', onError);
    socket.setTimeout(greetingMs, onSilence);
    socket.once('secureConnect', () => {
      socket.off('error', onError);
      socket.off('timeout', onSilence);
      socket.setTimeout(0);
      if (socket.authorized || this.#shows(socket)) {
        callback?.(null, socket);
        return;
      }
      socket.destroy();
      callback?.(new Error(`its certificate is not trusted: ${String(socket.authorizationError)}`), socket);
    });
    return undefined;
  }

  /** The server's certificate, or one above it, has a trusted key. */
  #shows(socket: TLSSocket): boolean {
    let shown = socket.getPeerCertificate(true);
    for (let depth = 0; isShown(shown) && depth < maxDepth; depth++) {
      const certificate = new X509Certificate(shown.raw);
      if (this.#trustedKeys.includes(hashPublicKey(certificate))) return true;
      shown = shown.issuerCertificate;
      // Anybody can show a certificate: what counts is what it has signed.
      if (!isShown(shown) || !certificate.verify(new X509Certificate(shown.raw).publicKey)) return false;
    }
    return false;
  }
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

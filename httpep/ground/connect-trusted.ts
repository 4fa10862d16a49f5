import { createHash, X509Certificate } from 'node:crypto';
import { connect, type ConnectionOptions, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';

/** How long a server may take to greet. */
const greetingMs = 30_000;
/** No chain of certificates is longer. */
const maxDepth = 8;

/**
 * Connects to a server with a certificate of a known authority, or one that shows one of these keys: base64 SHA-256 of public keys. Nothing is
 * sent before the server is trusted. Rejects with what prevents that.
 */
export async function connectTrusted(options: ConnectionOptions, trustedKeys: readonly string[]): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const socket = connect({
    ...options,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: trustedKeys.length === 0,
  });
  const onSilence = () => {
    socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
  };
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

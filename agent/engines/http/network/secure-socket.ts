import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { hashPublicKey, listChain } from '../../../certificates/certificate-chain.ts';
import { NetworkError } from './network-error.ts';

export interface TlsOptions {
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
export async function secureSocket(
  socket: Socket,
  { hostname, protocols, trustedKeys, session, onSession }: TlsOptions,
): Promise<TLSSocket> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = connect({
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

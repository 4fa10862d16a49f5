import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { SiteCertificate } from '#core/protocol/site-certificate.ts';
import { hashPublicKey, listChain } from './certificate-chain.ts';

const answerWithinMs = 10_000;
const longestName = 500;

/**
 * What the server of an https URL shows of itself: its certificate, and the public key to trust, which is that of the last certificate it sends, so that it stays valid when an authority of
 * one's own issues another certificate. Connects directly, without a proxy. Throws the error of the connection, or one that says that there was no answer.
 */
export async function readCertificate(url: string, signal: AbortSignal): Promise<SiteCertificate> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['h2', 'http/1.1'],
    // It is to be read, and nothing is sent to whom it belongs.
    rejectUnauthorized: false,
  });
  try {
    const limit = AbortSignal.timeout(answerWithinMs);
    await once(socket, 'secureConnect', { signal: AbortSignal.any([signal, limit]) }).catch((error: unknown) => {
      throw limit.aborted ? new Error(`${host} did not answer within ${answerWithinMs / 1000} s`) : error;
    });
    const chain = listChain(socket.getPeerCertificate(true));
    const [own] = chain;
    const last = chain.at(-1);
    if (!own || !last) throw new Error(`${host} showed no certificate`);
    return {
      subject: describeName(own.subject),
      issuer: describeName(own.issuer),
      validUntil: new Date(own.valid_to).toISOString(),
      trustedKey: hashPublicKey(last.raw),
    };
  } finally {
    socket.destroy();
  }
}

/** Such as `CN=origin.example, O=Example`. A server may have a name of any length. */
export function describeName(name: object): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${[value].flat().join(', ')}`)
    .join(', ')
    .slice(0, longestName);
}

import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { describeProblem, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { SiteCertificate } from '#core/protocol/site-certificate.ts';

const answerWithinMs = 10_000;
const longestName = 500;

/** What an Agent answers of the certificate that its Controller asks for. */
export async function answerCertificate(
  { orderId, url }: Extract<ControllerMessage, { type: 'read-certificate' }>,
  signal: AbortSignal,
): Promise<Extract<AgentMessage, { type: 'certificate-read' }>> {
  const read = await readCertificate(url, signal).then(
    (certificate) => ({ certificate, problem: null }),
    (error: unknown) => ({ certificate: null, problem: describeProblem(error) }),
  );
  return { type: 'certificate-read', orderId, ...read };
}

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

/** The server's certificate and those above it; the last one is its own issuer. Empty where none was shown. */
export function listChain(certificate: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  for (
    let each: Partial<DetailedPeerCertificate> = certificate;
    isShown(each) && !chain.includes(each);
    each = each.issuerCertificate
  )
    chain.push(each);
  return chain;
}

/** Node gives an object without anything for a certificate that was not shown. */
function isShown(certificate: Partial<DetailedPeerCertificate> | undefined): certificate is DetailedPeerCertificate {
  return certificate?.raw !== undefined;
}

/** The base64 SHA-256 of its public key, as `trustedKeys` has it. */
export function hashPublicKey(certificate: Buffer): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

import { createHash, X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate } from 'node:tls';

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

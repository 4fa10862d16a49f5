import 'reflect-metadata';
import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } from '@peculiar/x509';
import { X509Certificate, createPrivateKey } from 'node:crypto';

/** ECDSA on P-256 with SHA-256: what browsers accept everywhere, and quick to make. */
export const signatureAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certification authority that signs the origin's certificates, both parts in PEM. */
export interface CertificateAuthority {
  certificate: string;
  key: string;
}

const dayMs = 86_400_000;
const validityMs = 10 * 365 * dayMs;

/** A new authority, valid for ten years from the day before `nowEpochMs`. */
export async function createAuthority(nowEpochMs: number): Promise<CertificateAuthority> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=HTTP-AE test origin authority',
    keys,
    notBefore: new Date(nowEpochMs - dayMs),
    notAfter: new Date(nowEpochMs + validityMs),
    signingAlgorithm: signatureAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await exportPrivateKey(keys.privateKey) };
}

/** Whether the authority may still sign a certificate of one day. */
export function isValidAuthority(authority: CertificateAuthority, nowEpochMs: number): boolean {
  return new X509Certificate(authority.certificate).validToDate.getTime() > nowEpochMs + dayMs;
}

export async function generateKeys(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey(signatureAlgorithm, true, ['sign', 'verify']);
}

export async function exportPrivateKey(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

export async function importPrivateKey(pem: string): Promise<CryptoKey> {
  const der = new Uint8Array(createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }));
  return await crypto.subtle.importKey('pkcs8', der, signatureAlgorithm, false, ['sign']);
}

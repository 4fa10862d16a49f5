import { createPrivateKey } from 'node:crypto';

/** ECDSA on P-256 with SHA-256: what browsers accept everywhere, and quick to make. */
export const signatureAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

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

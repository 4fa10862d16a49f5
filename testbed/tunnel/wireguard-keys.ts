import { generateKeyPairSync } from 'node:crypto';

export interface WireguardKeys {
  privateKey: string;
  publicKey: string;
}

/** A pair of X25519 keys as wg(8) writes them. */
export function makeWireguardKeys(): WireguardKeys {
  const { privateKey } = generateKeyPairSync('x25519');
  const { d, x } = privateKey.export({ format: 'jwk' });
  return { privateKey: asBase64(d!), publicKey: asBase64(x!) };
}

function asBase64(base64Url: string): string {
  return Buffer.from(base64Url, 'base64url').toString('base64');
}

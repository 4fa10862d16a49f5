import { createHash, generateKeyPairSync } from 'node:crypto';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import type { OrderLine } from './order-line.ts';
import { resolveTestbedKey } from './resolve-testbed-key.ts';

/** With what HTTPEP ends the TLS of one Round. */
export interface HttpepTls {
  /** Of the remote end, in PEM. */
  privateKey: string;
  /** Base64 SHA-256 of its public key, which only the browsers of this Round trust. */
  trustedKey: string;
  /** Of origins without a known authority, which the ground end trusts. */
  originKeys: readonly string[];
}

/** Null where TLS passes untouched. Throws `invalid-input` when the Scenario trusts the testbed, and the ground end is in none with an origin. */
export function drawHttpepTls(
  hub: Pick<OrderLine, 'factsOf'>,
  { browser, httpep }: Pick<Scenario, 'browser' | 'httpep'>,
): HttpepTls | null {
  if (httpep?.tls !== 'terminate') return null;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    trustedKey: createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
    originKeys: resolveTestbedKey(hub, { browser, host: httpep.ground.host }).trustedKeys,
  };
}

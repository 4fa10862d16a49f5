import 'reflect-metadata';
import { X509CertificateGenerator } from '@peculiar/x509';
import { X509Certificate } from 'node:crypto';
import { exportPrivateKey, generateKeys, signatureAlgorithm } from '../origin/certificates/key-format.ts';

/** Whom one end of OpenVPN is to the other: a certificate that it signed itself, and its fingerprint. Both in PEM. */
export interface OpenvpnIdentity {
  certificate: string;
  key: string;
  /** SHA-256, as `--peer-fingerprint` takes it. */
  fingerprint: string;
}

const dayMs = 86_400_000;

/** Valid for the day before `nowEpochMs` and a year after. */
export async function makeOpenvpnIdentity(nowEpochMs: number): Promise<OpenvpnIdentity> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=HTTP-AE testbed tunnel',
    keys,
    notBefore: new Date(nowEpochMs - dayMs),
    notAfter: new Date(nowEpochMs + 365 * dayMs),
    signingAlgorithm: signatureAlgorithm,
  });
  const pem = certificate.toString('pem');
  return {
    certificate: pem,
    key: await exportPrivateKey(keys.privateKey),
    fingerprint: new X509Certificate(pem).fingerprint256,
  };
}

import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { isIP } from 'node:net';
import {
  type CertificateAuthority,
  exportPrivateKey,
  generateKeys,
  importPrivateKey,
  signatureAlgorithm,
} from './certificate-authority.ts';

/** What a TLS server presents: the leaf followed by its authority, and the leaf's key, in PEM. */
export interface ServerCertificate {
  cert: string;
  key: string;
}

const dayMs = 86_400_000;
/** Browsers refuse leaves that are valid for longer than 398 days. */
const validityMs = 397 * dayMs;

/** A certificate for these host names and addresses. */
export async function issueCertificate(
  authority: CertificateAuthority,
  { hosts, nowEpochMs }: { hosts: string[]; nowEpochMs: number },
): Promise<ServerCertificate> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=HTTP-AE test origin',
    issuer: new X509Certificate(authority.certificate).subject,
    publicKey: keys.publicKey,
    signingKey: await importPrivateKey(authority.key),
    notBefore: new Date(nowEpochMs - dayMs),
    notAfter: new Date(nowEpochMs + validityMs - dayMs),
    signingAlgorithm: signatureAlgorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hosts.map(nameHost)),
    ],
  });
  return {
    cert: `${certificate.toString('pem')}\n${authority.certificate}`,
    key: await exportPrivateKey(keys.privateKey),
  };
}

function nameHost(host: string): { type: 'ip' | 'dns'; value: string } {
  return { type: isIP(host) ? 'ip' : 'dns', value: host };
}

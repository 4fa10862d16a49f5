import { createHash, X509Certificate } from 'node:crypto';

/**
 * Base64 SHA-256 of a certificate's SubjectPublicKeyInfo, the form that Chromium's `--ignore-certificate-errors-spki-list`
 * takes. https://www.rfc-editor.org/rfc/rfc7469#section-2.4
 */
export function hashPublicKey(certificatePem: string): string {
  const key = new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;
/** How many hosts are remembered. */
const maxHosts = 500;

/** Certificates for any host, all of one key: browsers that trust the key trust them. */
export class LeafCertificates {
  /** Base64 SHA-256 of the public key, as Chrome takes it. https://www.rfc-editor.org/rfc/rfc7469#section-2.4 */
  readonly trustedKey: string;
  readonly #pem: string;
  readonly #keys: CryptoKeyPair;
  readonly #contexts = new Map<string, Promise<SecureContext>>();

  private constructor(pem: string, keys: CryptoKeyPair) {
    this.#pem = pem;
    this.#keys = keys;
    const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' });
    this.trustedKey = createHash('sha256').update(spki).digest('base64');
  }

  /** `pem`: a private key on P-256, in PKCS #8. Rejects for another one. */
  static async open(pem: string): Promise<LeafCertificates> {
    const [privateDer, publicDer] = [
      createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
      createPublicKey(pem).export({ type: 'spki', format: 'der' }),
    ];
    const [privateKey, publicKey] = await Promise.all([
      crypto.subtle.importKey('pkcs8', new Uint8Array(privateDer), algorithm, false, ['sign']),
      crypto.subtle.importKey('spki', new Uint8Array(publicDer), algorithm, true, ['verify']),
    ]);
    return new LeafCertificates(pem, { privateKey, publicKey });
  }

  /** For a TLS server that answers for the host. */
  contextOf(host: string): Promise<SecureContext> {
    const known = this.#contexts.get(host);
    if (known) return known;
    const [oldest] = this.#contexts.keys();
    if (this.#contexts.size >= maxHosts && oldest !== undefined) this.#contexts.delete(oldest);
    const made = this.#make(host);
    this.#contexts.set(host, made);
    return made;
  }

  async #make(host: string): Promise<SecureContext> {
    const nowEpochMs = Date.now();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=HTTPEP',
      keys: this.#keys,
      notBefore: new Date(nowEpochMs - dayMs),
      // Browsers refuse leaves that are valid for longer than 398 days.
      notAfter: new Date(nowEpochMs + 365 * dayMs),
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([{ type: isIP(host) ? 'ip' : 'dns', value: host }]),
      ],
    });
    return createSecureContext({ key: this.#pem, cert: certificate.toString('pem') });
  }
}

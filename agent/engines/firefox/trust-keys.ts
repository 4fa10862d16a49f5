import type { BidiConnection } from './bidi-connection.ts';
import { callInBrowser } from './browser-world.ts';

/** As NSS has it, in XPCOM's form: `SEC_ERROR_UNKNOWN_ISSUER`. https://searchfox.org/mozilla-central/source/security/nss/lib/util/secerr.h */
const unknownIssuer = 0x805a1ff3;

/**
 * Runs in the browser's own world: an answer over a connection whose certificate is not trusted is let through only when a key of its chain
 * is one of these. Nobody else can decide by the key: Firefox trusts authorities, or any certificate at all.
 */
const refuseOtherKeys = `(keys, refusal) => {
  const trusted = new Set(keys);
  const refuse = (subject) => {
    const channel = subject.QueryInterface(Ci.nsIHttpChannel);
    const security = channel.securityInfo;
    if (!security || !security.overridableErrorCategory) return;
    const chain = [security.serverCert, ...(security.handshakeCertificates ?? [])];
    if (!chain.some((certificate) => trusted.has(certificate.sha256SubjectPublicKeyInfoDigest))) channel.cancel(refusal);
  };
  for (const topic of ['http-on-examine-response', 'http-on-examine-cached-response', 'http-on-examine-merged-response']) {
    Services.obs.addObserver({ observe: refuse }, topic);
  }
}`;

/** Makes a browser whose session accepts every certificate refuse those without one of these keys (base64 SHA-256). */
export async function trustKeys(connection: BidiConnection, keys: readonly string[]): Promise<void> {
  const list = { type: 'array' as const, value: keys.map((value) => ({ type: 'string' as const, value })) };
  await callInBrowser(connection, { text: refuseOtherKeys, args: [list, { type: 'number', value: unknownIssuer }] });
}

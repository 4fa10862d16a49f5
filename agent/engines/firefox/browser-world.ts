import { z } from 'zod';
import type { BidiConnection } from './bidi-connection.ts';

/** Lets the one who drives the browser into its own world. */
export const systemAccessFlag = '--remote-allow-system-access';

const TreeSchema = z.object({ contexts: z.array(z.object({ context: z.string() })).min(1) });
const ResultSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('success') }),
  z.object({ type: z.literal('exception'), exceptionDetails: z.object({ text: z.string() }) }),
]);

type LocalValue = { type: 'string' | 'number'; value: string | number } | { type: 'array'; value: LocalValue[] };

/** Calls a function, given as text, where the browser's own scripts run. Needs `systemAccessFlag`. */
export async function callInBrowser(
  connection: BidiConnection,
  { text, args = [] }: { text: string; args?: LocalValue[] },
): Promise<void> {
  const { contexts } = TreeSchema.parse(
    await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 }),
  );
  const result = ResultSchema.parse(
    await connection.send('script.callFunction', {
      functionDeclaration: text,
      target: { context: contexts[0]!.context },
      arguments: args,
      awaitPromise: false,
    }),
  );
  if (result.type === 'exception') throw new Error(`The browser's own world: ${result.exceptionDetails.text}`);
}

/** An address of this machine that nobody answers at, and that no page is at. */
const nowhere = 'https://127.0.0.2:9/';

/** Firefox reads what it knows of alternative services when it first asks for anything over TLS, and that request goes without: it is this one. */
export async function wakeAltSvc(connection: BidiConnection): Promise<void> {
  await callInBrowser(connection, {
    text: `(url) => {
      const request = new XMLHttpRequest();
      request.open('GET', url);
      request.send();
    }`,
    args: [{ type: 'string', value: nowhere }],
  });
}

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

import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import 'reflect-metadata';
import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } from '@peculiar/x509';
import { X509Certificate, createPrivateKey, randomUUID } from 'node:crypto';
import { AppError } from '#core/app-error.ts';

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

/**
 * The authority kept in a folder, made on first use and replaced when it has run out. The file appears whole or not at all,
 * so that origins that start at the same instant end up with the same authority.
 */
export async function loadAuthority(folder: string, nowEpochMs: number): Promise<CertificateAuthority> {
  const file = join(folder, 'origin-authority.pem');
  const kept = await readAuthority(file);
  if (kept && isValidAuthority(kept, nowEpochMs)) return kept;

  const created = await createAuthority(nowEpochMs);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${created.certificate}\n${created.key}`, { mode: 0o600 });
    await (kept ? rename(draft, file) : link(draft, file));
    return created;
  } catch (error) {
    const other = isErrno(error, 'EEXIST') ? await readAuthority(file) : null;
    if (other) return other;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readAuthority(file: string): Promise<CertificateAuthority | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
  const certificate = findPem(text, 'CERTIFICATE');
  const key = findPem(text, 'PRIVATE KEY');
  if (!certificate || !key) {
    throw new AppError(
      'invalid-input',
      `${file} has no valid certificate and private key: delete it, and the next start makes a new one`,
    );
  }
  return { certificate, key };
}

function findPem(text: string, label: string): string | undefined {
  return new RegExp(`-----BEGIN ${label}-----[\\s\\S]+?-----END ${label}-----`).exec(text)?.[0];
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#core/app-error.ts';
import { type CertificateAuthority, createAuthority, isValidAuthority } from './certificate-authority.ts';

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

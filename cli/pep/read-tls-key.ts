import { generateKeyPairSync } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import { LeafCertificates } from '#pep/remote/tls/leaf-certificates.ts';
import { readInputFile } from './read-input-file.ts';

/** The private key of a file, which is made if there is none. Throws `invalid-input` for another kind of key, and one that others can read. */
export async function readTlsKey(file: string): Promise<LeafCertificates> {
  await makeIfMissing(file);
  const pem = await readInputFile(file, '--tls-key');
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) {
    throw new AppError('invalid-input', `Other users of this machine can read ${file}. Run: chmod 600 ${file}`);
  }
  try {
    return await LeafCertificates.open(pem);
  } catch (error) {
    const advice = 'Name a file that does not exist, and one is made';
    throw new AppError('invalid-input', `${file} has no private key on the curve P-256, in PEM. ${advice}`, {
      cause: error,
    });
  }
}

async function makeIfMissing(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  try {
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return;
    throw new AppError(
      'invalid-input',
      `${file} cannot be written (${(error as Error).message}): name a file with --tls-key`,
      {
        cause: error,
      },
    );
  }
}

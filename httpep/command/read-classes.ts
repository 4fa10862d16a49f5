import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { listIssues, parseYaml } from '#core/input/parse-yaml.ts';
import { generateKeyPairSync } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { LeafCertificates } from '../remote/tls/leaf-certificates.ts';
import { readTextFile } from './read-text-file.ts';

const ClassesSchema = z.record(
  z.string(),
  z.strictObject({
    weight: z.number().positive().max(1000),
    /** Addresses, or names of `--credentials`. Without, the class has all users that no other class names. */
    users: z.array(z.string()).optional(),
  }),
);

export interface UserClasses {
  weights: Record<string, number>;
  classOf: (user: string) => string;
}

/** Throws `invalid-input` that names what is wrong. */
export async function readClasses(file: string): Promise<UserClasses> {
  const classes = parseClasses(file, await readTextFile(file, 'name a file with --classes'));
  const byUser = new Map<string, string>();
  let ofOthers = '';
  for (const [name, { users }] of Object.entries(classes)) {
    if (users === undefined) {
      if (ofOthers !== '')
        refuse(`${file}: ${ofOthers} and ${name} both have no users: only one class can have all others`);
      ofOthers = name;
    }
    for (const user of (users ?? []).map(toUsualForm)) {
      if (byUser.has(user)) refuse(`${file}: ${user} is in ${byUser.get(user)!} and in ${name}: a user has one class`);
      byUser.set(user, name);
    }
  }
  return {
    weights: Object.fromEntries(Object.entries(classes).map(([name, { weight }]) => [name, weight])),
    classOf: (user) => byUser.get(user) ?? ofOthers,
  };
}

/** An IPv6 address has several forms, of which sockets have one: RFC 5952. */
function toUsualForm(user: string): string {
  const url = isIPv6(user) ? URL.parse(`http://[${user}]`) : null; // null also of one with a zone
  return url ? url.hostname.slice(1, -1) : user;
}

function parseClasses(file: string, text: string): z.infer<typeof ClassesSchema> {
  const parsed = parseYaml(text, ClassesSchema);
  return parsed.kind === 'valid' ? parsed.value : refuse(listIssues(file, parsed.issues));
}

function refuse(faults: string): never {
  throw new AppError('invalid-input', `${faults}. Write for each class: gold: { weight: 50, users: [198.19.1.1] }`);
}

/** The private key of a file, which is made if there is none. Throws `invalid-input` for another kind of key, and one that others can read. */
export async function readTlsKey(file: string): Promise<LeafCertificates> {
  await makeIfMissing(file);
  const pem = await readTextFile(file, 'name a file with --tls-key');
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

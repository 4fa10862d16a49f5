import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP Password Storage Cheat Sheet: N = 2^15, r = 8, p = 3 (32 MB of memory). */
const cost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 32;

/** `scrypt$N$r$p$salt$key`, the last two in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, { salt, ...cost });
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$');
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined)
    throw new Error(`Unknown password hash "${scheme ?? ''}"`);
  const expected = Buffer.from(key, 'base64');
  const actual = await deriveKey(password, {
    salt: Buffer.from(salt, 'base64'),
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(actual, expected);
}

/** Password-based keys are long work: it is done beside the event loop. One spelling has one key, however its accents are composed. */
function deriveKey(password: string, { salt, ...options }: typeof cost & { salt: Buffer }): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(password.normalize('NFKC'), salt, keyBytes, { ...options, maxmem: 64 * 1024 * 1024 }, (error, key) => {
    if (error) reject(error);
    else resolve(key);
  });
  return promise;
}

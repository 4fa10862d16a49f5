import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits that a URL, a header or a cookie can carry. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret. It is long and random, so that one round of SHA-256 cannot be searched backwards. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares in a time that does not show where two secrets differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hashSecret(one), hashSecret(other));
}

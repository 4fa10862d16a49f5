import { z } from 'zod';

/** The word for the key of the origin that `testbed up --origin` has. */
export const testbedKey = 'testbed';

/** The base64 SHA-256 of a public key. */
export const PublicKeySchema = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the base64 SHA-256 of a public key');

const KeyOrTestbedSchema = z
  .string()
  .regex(/^(testbed|[A-Za-z0-9+/]{43}=)$/, 'must be the base64 SHA-256 of a public key, or "testbed"');

const KeysSchema = z.array(KeyOrTestbedSchema).max(64, 'must have at most 64 keys');

/** `testbed` alone means the same as a list of it. */
export const TrustedKeysSchema = z
  .union([
    z
      .literal(testbedKey, `must be "${testbedKey}", or a list of keys`)
      .transform(() => [testbedKey])
      .pipe(KeysSchema),
    KeysSchema,
  ])
  .default([])
  .describe(
    'Public keys to trust, as base64 SHA-256: for origins with certificates of their own. `testbed` is the key of the origin of `testbed up --origin`.',
  );

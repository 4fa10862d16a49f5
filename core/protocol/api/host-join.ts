import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';

const oneLine = (longest: number) =>
  z
    .string({ error: 'must be a text' })
    .min(1, 'must not be empty')
    .max(longest, `must have at most ${longest} characters`)
    .regex(/^[^\p{Cc}]*$/u, 'must be a single line');

/**
 * A part of where ssh logs in. ssh would take one that begins with "-" for an option. Before its version 9.6, it hands the others to the shell of
 * a ProxyCommand as they are (CVE-2023-51385), and a person may paste our advice into one.
 */
const Word = oneLine(1_000).regex(/^[^\s-]\S*$/u, 'must have no spaces, and must not begin with "-"');

export const SshUserSchema = Word.regex(/^[^'"`$;&<>|(){},]*$/, `must have none of ' " \` $ ; & < > | ( ) { } ,`)
  // Of a domain: CORP\ann.
  .regex(/[^\\]$/, 'must not end with "\\"');

export const SshAddressSchema = Word.regex(
  /^[^'"`$\\;&<>|(){},]*$/,
  `must have none of ' " \` $ \\ ; & < > | ( ) { } ,`,
);

/** By what ssh logs in, once. */
const SshLoginSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('password'), password: oneLine(1_000) }),
  z.strictObject({
    kind: z.literal('key'),
    /** The text of a private key. */
    key: z
      .string({ error: 'must be a text' })
      .max(20_000, 'must have at most 20000 characters')
      .regex(
        /^\s*-----BEGIN [^]*-----END [^\n]*-----\s*$/,
        'must be a private key, from "-----BEGIN" to its last line',
      ),
    /** Empty where the key has none. */
    passphrase: oneLine(1_000).or(z.literal('')).default(''),
  }),
]);
export type SshLogin = z.infer<typeof SshLoginSchema>;

/** The key of a host, as ssh writes it. */
const HostKeySchema = z.object({ type: z.string(), fingerprint: z.string() });
export type HostKey = z.infer<typeof HostKeySchema>;

/** A machine that is to become a host, and how to log in there. */
export const HostJoinRequestSchema = z.strictObject({
  /** As hosts of an inventory are named: a value of options of commands. */
  name: NameSchema.regex(/^[^-]/, 'must not begin with "-"'),
  address: SshAddressSchema,
  user: SshUserSchema,
  port: z
    .int('must be a port, from 1 to 65535')
    .min(1, 'must be at least 1')
    .max(65_535, 'must be at most 65535')
    .default(22),
  login: SshLoginSchema,
  /** The fingerprint of an unknown host's key, which a person has compared. */
  hostKey: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'must be a fingerprint: SHA256:…')
    .nullable()
    .default(null),
  allowsScripts: z.boolean().default(false),
});
export type HostJoinRequest = z.infer<typeof HostJoinRequestSchema>;

/** A login from the page, and what came of it. It has nothing secret. */
export const HostJoinSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** As people write it: `ann@192.0.2.7:2222`. */
  target: z.string(),
  /** `unknown-key`: it ended before anything secret was sent, because a person has to compare `hostKey` first. */
  state: z.enum(['connecting', 'unknown-key', 'joined', 'failed']),
  /** What was done so far. */
  lines: z.array(z.string()),
  hostKey: HostKeySchema.nullable(),
  /** Why it failed, and what to do. */
  reason: z.string().nullable(),
  /** Whether ssh holds its Agent, which ends with the connection. */
  isHeld: z.boolean(),
});
export type HostJoin = z.infer<typeof HostJoinSchema>;

/** `obstacle`: why this Controller joins no hosts, in one sentence; null where it does. */
export const HostJoinsSchema = z.object({ obstacle: z.string().nullable(), joins: z.array(HostJoinSchema) });
export type HostJoins = z.infer<typeof HostJoinsSchema>;

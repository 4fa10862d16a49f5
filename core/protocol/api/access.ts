import { z } from 'zod';
import { RoleSchema } from '../role.ts';
import { NameSchema } from '../../evaluation/name.ts';
import { HostFactsSchema } from '../host-facts.ts';

const Time = z.iso.datetime({ offset: true });
const PasswordSchema = z
  .string()
  .min(10, 'must have at least 10 characters')
  .max(200, 'must have at most 200 characters');

export const SignInRequestSchema = z.strictObject({
  name: NameSchema,
  password: z.string().max(200, 'must have at most 200 characters'),
});
/** A one-time link, of the first start or of an invitation; it signs in, so that a name and a password can be chosen. */
export const TicketRequestSchema = z.strictObject({ ticket: z.string().max(200, 'must have at most 200 characters') });
export const AccountRequestSchema = z.strictObject({ name: NameSchema, password: PasswordSchema });
/** A one-time link for a new password. */
export const PasswordTicketRequestSchema = z.strictObject({
  ticket: z.string().max(200, 'must have at most 200 characters'),
  newPassword: PasswordSchema,
});
export const PasswordRequestSchema = z.strictObject({
  currentPassword: z.string().max(200, 'must have at most 200 characters'),
  newPassword: PasswordSchema,
});

export const SessionSchema = z.object({
  /** Null while signed in by a one-time link and no account was made yet. */
  evaluatorName: z.string().nullable(),
  role: RoleSchema,
  /** To be sent back as `x-csrf-token` with every request that changes something. */
  csrfToken: z.string(),
  /** Where others reach the Controller, when its operator said so; null when only the browser knows. */
  publicUrl: z.string().nullable(),
});
export type Session = z.infer<typeof SessionSchema>;

/** A browser that is signed in. */
export const SessionSummarySchema = z.object({
  id: z.string(),
  evaluatorName: z.string().nullable(),
  role: RoleSchema,
  /** What the browser says it is; null when it did not say. */
  browser: z.string().nullable(),
  createdAt: Time,
  lastUsedAt: Time,
  isOwn: z.boolean(),
});
export type SessionSummary = z.infer<typeof SessionSummarySchema>;

export const TokenScopeSchema = z.enum(['agent', 'api']);
export const TokenRequestSchema = z.discriminatedUnion('scope', [
  /** `agentName`: the one Agent that may join by it; null lets every name join. */
  z.strictObject({ scope: z.literal('agent'), name: NameSchema, agentName: NameSchema.nullable().default(null) }),
  z.strictObject({
    scope: z.literal('api'),
    name: NameSchema,
    role: RoleSchema.exclude(['admin']).default('evaluator'),
  }),
]);
export const TokenSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: TokenScopeSchema,
  /** What an API token may do at most, and never more than its maker; null for Agents. */
  role: RoleSchema.nullable(),
  /** The one Agent that may join by it; null when any may. */
  agentName: z.string().nullable(),
  /** Null for one that the Controller made for commands on its own machine. */
  madeBy: z.string().nullable(),
  createdAt: Time,
  lastUsedAt: Time.nullable(),
  revokedAt: Time.nullable(),
});
export type TokenSummary = z.infer<typeof TokenSummarySchema>;
/** The token itself appears only here, and is stored hashed. */
export const NewTokenSchema = TokenSummarySchema.extend({ token: z.string() });

export const AgentSummarySchema = z.object({
  name: z.string(),
  isConnected: z.boolean(),
  agentVersion: z.string(),
  lastSeenAt: Time,
  /** Controller clock minus Agent clock; null before it was read. */
  clockOffsetMs: z.number().nullable(),
  clockErrorMs: z.number().nullable(),
  /** How many other Agents came by the same token, which a revocation ends too. */
  tokenSharedWith: z.number().int().nonnegative(),
  facts: HostFactsSchema,
});
export type AgentSummary = z.infer<typeof AgentSummarySchema>;

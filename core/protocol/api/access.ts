import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { HostFactsSchema } from '../agent-messages.ts';

const Time = z.iso.datetime({ offset: true });
const PasswordSchema = z.string().min(10, 'must have at least 10 characters').max(200, 'must have at most 200 characters');

export const SignInRequestSchema = z.strictObject({ name: NameSchema, password: z.string().max(200) });
/** The one-time link that the first start prints; it signs in, so that a name and a password can be chosen. */
export const TicketRequestSchema = z.strictObject({ ticket: z.string().max(200) });
export const AccountRequestSchema = z.strictObject({ name: NameSchema, password: PasswordSchema });

export const SessionSchema = z.object({
  /** Null while signed in by a one-time link and no account was made yet. */
  evaluatorName: z.string().nullable(),
  /** To be sent back as `x-csrf-token` with every request that changes something. */
  csrfToken: z.string(),
});
export type Session = z.infer<typeof SessionSchema>;

export const TokenScopeSchema = z.enum(['agent', 'api']);
export const TokenRequestSchema = z.strictObject({ name: NameSchema, scope: TokenScopeSchema });
export const TokenSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: TokenScopeSchema,
  createdAt: Time,
  lastUsedAt: Time.nullable(),
  revokedAt: Time.nullable(),
});
export type TokenSummary = z.infer<typeof TokenSummarySchema>;
/** The token itself is told once, here, and stored hashed. */
export const NewTokenSchema = TokenSummarySchema.extend({ token: z.string() });

export const AgentSummarySchema = z.object({
  name: z.string(),
  isConnected: z.boolean(),
  agentVersion: z.string(),
  lastSeenAt: Time,
  /** Controller clock minus Agent clock; null before it was read. */
  clockOffsetMs: z.number().nullable(),
  clockErrorMs: z.number().nullable(),
  facts: HostFactsSchema,
});
export type AgentSummary = z.infer<typeof AgentSummarySchema>;

import { z } from 'zod';
import type { Role } from '#core/protocol/role.ts';
import {
  NewTokenSchema,
  TokenSummarySchema,
  type TokenRequestSchema,
  type TokenSummary,
} from '#core/protocol/api/access.ts';
import { NewInvitationSchema } from '#core/protocol/api/people.ts';
import type { LocalAccess } from './controller-access.ts';
import { ControllerClient, postJson } from './controller-client.ts';

/** What only the OS user who runs the Controller may ask of it. Every method throws a ProblemError, or `controller-unreachable`. */
export class OwnerClient extends ControllerClient {
  constructor({ url, ownerToken }: LocalAccess, signal: AbortSignal) {
    super({ url, token: ownerToken }, signal);
  }

  /** The ticket of a new one-time link. */
  async invite(role: Role): Promise<string> {
    return (await this.ask(NewInvitationSchema, '/api/invitations', postJson({ role }))).ticket;
  }

  createToken(request: z.input<typeof TokenRequestSchema>): Promise<z.infer<typeof NewTokenSchema>> {
    return this.ask(NewTokenSchema, '/api/tokens', postJson(request));
  }

  listTokens(): Promise<TokenSummary[]> {
    return this.ask(z.array(TokenSummarySchema), '/api/tokens');
  }

  async revokeToken(id: string): Promise<void> {
    await this.request(`/api/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' });
  }

  /** Revokes its token and takes it off the list of hosts. */
  async removeAgent(name: string): Promise<void> {
    await this.request(`/api/agents/${encodeURIComponent(name)}`, { method: 'DELETE' });
  }
}

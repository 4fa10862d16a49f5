import { z } from 'zod';
import { includesRole } from '#core/protocol/role.ts';
import { AppError } from '#core/app-error.ts';
import { NewTokenSchema, TokenRequestSchema, TokenSummarySchema } from '#core/protocol/api/access.ts';
import { personOf, nameIdentity } from './identify.ts';
import { issueToken, findToken, listTokens, revokeToken } from './tokens.ts';
import { emptyRoute, jsonRoute, type Route, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';

export function tokenRoutes({ pool, agents }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/tokens',
      summary: 'List all tokens, without their secrets',
      access: 'evaluator',
      isForPeople: true,
      answer: z.array(TokenSummarySchema),
      handle: () => listTokens(pool),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/tokens',
      summary: 'Create a token. Only this response contains its secret',
      access: 'evaluator',
      isForPeople: true,
      body: TokenRequestSchema,
      status: 201,
      answer: NewTokenSchema,
      handle: ({ body, identity }) => {
        const person = personOf(identity);
        const { evaluatorId, id: sessionId } =
          person.kind === 'session' ? person.session : { evaluatorId: null, id: null };
        return issueToken(pool, { ...body, maker: { evaluatorId, sessionId, name: nameIdentity(identity) } });
      },
      audit: (_call, { id, name, scope, role, agentName }) => ({
        action: 'token-made',
        subject: name,
        details: { token: id, scope, role, agentName },
      }),
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/tokens/:id',
      summary: 'Revoke a token and disconnect the Agents that use it. Only an admin can revoke API tokens of others',
      access: 'evaluator',
      isForPeople: true,
      params: IdParams,
      handle: async ({ params, identity }) => {
        const person = personOf(identity);
        const token = await findToken(pool, params.id);
        if (!token) throw new AppError('not-found', `There is no token ${params.id}`);
        const isOwn =
          token.evaluatorId !== null && person.kind === 'session' && token.evaluatorId === person.session.evaluatorId;
        if (token.scope === 'api' && !isOwn && !includesRole(person.role, 'admin')) {
          throw new AppError(
            'not-allowed',
            `The token "${token.name}" belongs to another person: they or an admin can revoke it`,
          );
        }
        await revokeToken(pool, params.id);
        agents.dropToken(params.id);
        return token;
      },
      audit: ({ params }, { name, scope }) => ({
        action: 'token-revoked',
        subject: name,
        details: { token: params.id, scope },
      }),
    }),
  ];
}

import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { NewTokenSchema, TokenRequestSchema, TokenSummarySchema } from '#core/protocol/api/access.ts';
import { issueToken } from '../access/issue-token.ts';
import { listTokens, revokeToken } from '../db/tokens.ts';
import { IdParams } from './parameters.ts';
import { emptyRoute, jsonRoute, type Route } from './route.ts';
import type { Services } from './services.ts';

export function tokenRoutes({ pool, agents }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/tokens',
      summary: 'All tokens, without their secrets',
      access: 'evaluator',
      answer: z.array(TokenSummarySchema),
      handle: () => listTokens(pool),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/tokens',
      summary: 'Make a token; its secret is told in this answer only',
      access: 'session',
      body: TokenRequestSchema,
      status: 201,
      answer: NewTokenSchema,
      handle: ({ body }) => issueToken(pool, body),
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/tokens/:id',
      summary: 'Revoke a token, and end the lines of the Agents that came with it',
      access: 'session',
      params: IdParams,
      handle: async ({ params }) => {
        if (!(await revokeToken(pool, params.id))) throw new AppError('not-found', `There is no token ${params.id}`);
        agents.dropToken(params.id);
      },
    }),
  ];
}

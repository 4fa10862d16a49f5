import { z } from 'zod';
import {
  NewTokenSchema,
  TokenRequestSchema,
  TokenSummarySchema,
  type TokenSummary,
} from '#core/protocol/api/access.ts';
import { json, nothing, request } from './request.ts';

export function fetchTokens(signal: AbortSignal): Promise<TokenSummary[]> {
  return request({ path: '/api/tokens', answer: json(z.array(TokenSummarySchema)), signal });
}

/** Makes a token. Only this answer contains the token itself. */
export function createToken(order: z.input<typeof TokenRequestSchema>): Promise<z.infer<typeof NewTokenSchema>> {
  return request({ method: 'POST', path: '/api/tokens', body: { json: order }, answer: json(NewTokenSchema) });
}

export function revokeToken(id: string): Promise<void> {
  return request({ method: 'DELETE', path: `/api/tokens/${encodeURIComponent(id)}`, answer: nothing });
}

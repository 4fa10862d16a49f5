import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import {
  NewShareSchema,
  SharedComparisonSchema,
  ShareRequestSchema,
  ShareSummarySchema,
} from '#core/protocol/api/share.ts';
import { nameIdentity } from './identify.ts';
import { listShares, revokeShare, issueShare, needShare } from './shares.ts';
import { emptyRoute, jsonRoute, type Route, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { needRun } from '../runs/run-routes.ts';

/** Links to one Comparison for people without an account. */
export function shareRoutes({ pool }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/shares',
      summary: 'List the valid shared links to the Comparison of a Run, without their secrets',
      access: 'evaluator',
      isForPeople: true,
      params: IdParams,
      answer: z.array(ShareSummarySchema),
      handle: async ({ params }) => {
        await needRun(pool, params.id);
        return listShares(pool, params.id);
      },
    }),
    jsonRoute({
      method: 'post',
      path: '/api/runs/:id/shares',
      summary: 'Share the Comparison of a Run by a link that needs no account. Only this response contains its secret',
      access: 'evaluator',
      isForPeople: true,
      params: IdParams,
      body: ShareRequestSchema,
      status: 201,
      answer: NewShareSchema,
      handle: async ({ params, body, identity }) => {
        await needRun(pool, params.id);
        return issueShare(pool, { runId: params.id, madeBy: nameIdentity(identity), days: body.days });
      },
      audit: ({ params }, { id, expiresAt }) => ({
        action: 'comparison-shared',
        subject: `Comparison of Run ${params.id}`,
        details: { run: params.id, share: id, expiresAt },
      }),
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/shares/:id',
      summary: 'Revoke a shared link',
      access: 'evaluator',
      isForPeople: true,
      params: IdParams,
      handle: async ({ params }) => {
        const revoked = await revokeShare(pool, params.id);
        if (!revoked)
          throw new AppError('not-found', `There is no shared link ${params.id}: it was revoked or has expired`);
        return revoked;
      },
      audit: ({ params }, { runId }) => ({
        action: 'share-revoked',
        subject: `Comparison of Run ${runId}`,
        details: { run: runId, share: params.id },
      }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/shared',
      summary: 'Get what a shared link opens. Its secret is in `Authorization: Bearer hae_share_…`',
      access: 'open',
      answer: SharedComparisonSchema,
      handle: async ({ request }) => {
        const { runId, evaluationName, expiresAt } = await needShare(pool, request);
        return { runId, evaluationName, expiresAt };
      },
    }),
  ];
}

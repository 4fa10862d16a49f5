import { queryOptions } from '@tanstack/react-query';
import {
  EvaluationRetentionSchema,
  KeptDaysSchema,
  type EvaluationRetention,
  type KeptDays,
} from '#core/protocol/api/retention.ts';
import { json, request } from './request.ts';

const pathOf = (evaluationId: string) => `/api/evaluations/${encodeURIComponent(evaluationId)}/retention`;

export function storeKeptDays(days: KeptDays): Promise<KeptDays> {
  return request({ method: 'PUT', path: '/api/retention/days', body: { json: days }, answer: json(KeptDaysSchema) });
}

export const evaluationRetentionQuery = (evaluationId: string) =>
  queryOptions({
    queryKey: ['evaluations', evaluationId, 'retention'],
    queryFn: ({ signal }) => request({ path: pathOf(evaluationId), answer: json(EvaluationRetentionSchema), signal }),
  });

export function storeEvaluationRetention(evaluationId: string, retention: EvaluationRetention) {
  return request({
    method: 'PUT',
    path: pathOf(evaluationId),
    body: { json: retention },
    answer: json(EvaluationRetentionSchema),
  });
}

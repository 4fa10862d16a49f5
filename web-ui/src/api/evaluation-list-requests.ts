import { z } from 'zod';
import { EvaluationSummarySchema, type EvaluationSummary } from '#core/protocol/api/evaluation-summary.ts';
import { json, nothing, request } from './request.ts';

const pathOf = (id: string) => `/api/evaluations/${encodeURIComponent(id)}`;

export function fetchEvaluations(signal: AbortSignal): Promise<EvaluationSummary[]> {
  return request({ path: '/api/evaluations', answer: json(z.array(EvaluationSummarySchema)), signal });
}

export function deleteEvaluation(id: string): Promise<void> {
  return request({ method: 'DELETE', path: pathOf(id), answer: nothing });
}

/** Takes a deletion back. */
export function restoreEvaluation(id: string): Promise<void> {
  return request({ method: 'POST', path: `${pathOf(id)}/restore`, answer: nothing });
}

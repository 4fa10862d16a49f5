import { z } from 'zod';
import { EvaluationSummarySchema, type EvaluationSummary, StoredEvaluationSchema, type StoredEvaluation } from '#core/protocol/api/evaluation.ts';
import { json, nothing, request, text } from './request.ts';

const pathOf = (id: string) => `/api/evaluations/${encodeURIComponent(id)}`;

export function fetchEvaluations(signal: AbortSignal): Promise<EvaluationSummary[]> {
  return request({ path: '/api/evaluations', answer: json(z.array(EvaluationSummarySchema)), signal });
}

export function fetchEvaluation(id: string, signal: AbortSignal): Promise<StoredEvaluation> {
  return request({ path: pathOf(id), answer: json(StoredEvaluationSchema), signal });
}

export function fetchEvaluationYaml(id: string, signal: AbortSignal): Promise<string> {
  return request({ path: `${pathOf(id)}.yaml`, headers: { accept: 'application/yaml' }, answer: text, signal });
}

export function createEvaluation(yaml: string): Promise<StoredEvaluation> {
  return request({ method: 'POST', path: '/api/evaluations', body: { yaml }, answer: json(StoredEvaluationSchema) });
}

/** Puts a new text in the place of a version; refused when somebody else has changed it since. */
export function updateEvaluation({ id, version, yaml }: { id: string; version: number; yaml: string }): Promise<StoredEvaluation> {
  return request({ method: 'PUT', path: `${pathOf(id)}?version=${version}`, body: { yaml }, answer: json(StoredEvaluationSchema) });
}

export function deleteEvaluation(id: string): Promise<void> {
  return request({ method: 'DELETE', path: pathOf(id), answer: nothing });
}

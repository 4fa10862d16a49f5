import { StoredEvaluationSchema, type StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { EstimateAnswerSchema, type EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import type { Annotation } from '#core/protocol/api/annotation.ts';
import { json, request } from './request.ts';

const pathOf = (id: string) => `/api/evaluations/${encodeURIComponent(id)}`;

export function fetchEvaluation(id: string, signal: AbortSignal): Promise<StoredEvaluation> {
  return request({ path: pathOf(id), answer: json(StoredEvaluationSchema), signal });
}

/** `changedFromRun`: the Run whose Evaluation it is a change of. */
export function createEvaluation(yaml: string, changedFromRun?: string): Promise<StoredEvaluation> {
  const query = changedFromRun === undefined ? '' : `?changedFromRun=${encodeURIComponent(changedFromRun)}`;
  return request({
    method: 'POST',
    path: `/api/evaluations${query}`,
    body: { yaml },
    answer: json(StoredEvaluationSchema),
  });
}

/** Puts a new text in the place of a version; refused when somebody else has changed it since. */
export function updateEvaluation({
  id,
  version,
  yaml,
}: {
  id: string;
  version: number;
  yaml: string;
}): Promise<StoredEvaluation> {
  return request({
    method: 'PUT',
    path: `${pathOf(id)}?version=${version}`,
    body: { yaml },
    answer: json(StoredEvaluationSchema),
  });
}

/** Rounds and time of an Evaluation as it is written now; `changes`: the stored one that it is a change of, or the Run that measured it. */
export function fetchEstimate(
  { evaluation, changes }: { evaluation: Evaluation; changes: { evaluation: string | null; run: string | null } },
  signal: AbortSignal,
): Promise<EstimateAnswer> {
  const search = new URLSearchParams({
    ...(changes.evaluation !== null && { changes: changes.evaluation }),
    ...(changes.run !== null && { changedFromRun: changes.run }),
  }).toString();
  const query = search && `?${search}`;
  return request({
    method: 'POST',
    path: `/api/evaluations/estimate${query}`,
    body: { json: evaluation },
    answer: json(EstimateAnswerSchema),
    signal,
  });
}

export function annotateEvaluation(id: string, annotation: Annotation): Promise<StoredEvaluation> {
  return request({
    method: 'PUT',
    path: `/api/evaluations/${encodeURIComponent(id)}/annotation`,
    body: { json: annotation },
    answer: json(StoredEvaluationSchema),
  });
}

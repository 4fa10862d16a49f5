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

/** The stored Evaluation that one is a change of, or the Run that measured it. */
interface Changed {
  evaluation: string | null;
  run: string | null;
}

export function pathOfEstimate({ evaluation, run }: Changed): string {
  const search = new URLSearchParams({
    ...(evaluation !== null && { changes: evaluation }),
    ...(run !== null && { changedFromRun: run }),
  }).toString();
  return `/api/evaluations/estimate${search && `?${search}`}`;
}

/** Rounds and time of an Evaluation as it is written now. */
export function fetchEstimate(
  { evaluation, changes }: { evaluation: Evaluation; changes: Changed },
  signal: AbortSignal,
): Promise<EstimateAnswer> {
  return request({
    method: 'POST',
    path: pathOfEstimate(changes),
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

import { RunContentsSchema, type RunContents } from '#core/protocol/api/run-contents.ts';
import { json, nothing, request } from './request.ts';

/** What can be deleted for good. */
export type Deleted = 'runs' | 'evaluations';

const pathOf = (what: Deleted, id: string) => `/api/${what}/${encodeURIComponent(id)}`;

/** What would be lost with a Run, or with an Evaluation and its Runs. */
export function fetchContents(what: Deleted, id: string, signal: AbortSignal): Promise<RunContents> {
  return request({ path: `${pathOf(what, id)}/contents`, answer: json(RunContentsSchema), signal });
}

export function deleteRun(id: string): Promise<void> {
  return request({ method: 'DELETE', path: pathOf('runs', id), answer: nothing });
}

export function deleteEvaluationWithRuns(id: string): Promise<void> {
  return request({ method: 'DELETE', path: `${pathOf('evaluations', id)}?runs=delete`, answer: nothing });
}

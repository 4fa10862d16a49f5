import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { json, request } from './request.ts';

const pathOf = (id: string) => `/api/runs/${encodeURIComponent(id)}`;

/** With the Passes of its current Round alone. */
export function fetchRun(id: string, signal: AbortSignal): Promise<RunDetail> {
  return request({ path: `${pathOf(id)}?passes=current`, answer: json(RunDetailSchema), signal });
}

/** Where a Run's progress streams from: first a RunDetail as from `fetchRun`, then what changed. */
export const runEventsPath = (runId: string) => `${pathOf(runId)}/events?passes=current&changes=yes`;

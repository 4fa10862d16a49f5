import { RunSummarySchema, type RunSummary } from '#core/protocol/api/run.ts';
import type { TryRequest } from '#core/protocol/api/try.ts';
import { json, request } from './request.ts';

/** Loads one URL once: the Run that does it. */
export function tryUrl(what: TryRequest): Promise<RunSummary> {
  return request({ method: 'POST', path: '/api/tries', body: { json: what }, answer: json(RunSummarySchema) });
}

import { VisitPageSchema, type VisitPage } from '#core/protocol/api/visit-page.ts';
import { RunMethodSchema, type RunMethod } from '#core/report/run-method.ts';
import { WireComparisonSchema, type WireComparison } from '#core/report/wire-comparison.ts';
import { json, request } from './request.ts';

const pathOf = (runId: string) => `/api/runs/${encodeURIComponent(runId)}`;

export function fetchWire(runId: string, signal: AbortSignal): Promise<WireComparison> {
  return request({ path: `${pathOf(runId)}/wire`, answer: json(WireComparisonSchema), signal });
}

export function fetchMethod(runId: string, signal: AbortSignal): Promise<RunMethod> {
  return request({ path: `${pathOf(runId)}/method`, answer: json(RunMethodSchema), signal });
}

/** One URL under one Scenario, of one User Agent or of all. */
export interface CellKey {
  runId: string;
  scenario: string;
  url: string;
  userAgent: string | null;
}

export function fetchVisitPage({ runId, scenario, url, userAgent }: CellKey, page: { after: string | null; signal: AbortSignal }): Promise<VisitPage> {
  const search = new URLSearchParams({ scenario, url, ...(userAgent !== null && { userAgent }), ...(page.after !== null && { after: page.after }) });
  return request({ path: `${pathOf(runId)}/visits/page?${search.toString()}`, answer: json(VisitPageSchema), signal: page.signal });
}

/** Where the whole report can be downloaded from as one file that opens without a network. */
export const reportPath = (runId: string) => `${pathOf(runId)}/report.html`;

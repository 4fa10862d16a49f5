import { z } from 'zod';
import { VisitDetailSchema, type VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { ExclusionSchema } from '#core/record/exclusion.ts';
import { json, nothing, request } from './request.ts';

const pathOf = (id: string) => `/api/visits/${encodeURIComponent(id)}`;

export function fetchVisit(id: string, signal: AbortSignal): Promise<VisitDetail> {
  return request({ path: pathOf(id), answer: json(VisitDetailSchema), signal });
}

/** Leaves a Visit out of the statistics of its Run. */
export async function excludeVisit({
  runId,
  visitId,
  reason,
}: {
  runId: string;
  visitId: string;
  reason: string;
}): Promise<void> {
  await request({
    method: 'POST',
    path: `/api/runs/${encodeURIComponent(runId)}/exclusions`,
    body: { json: { visitIds: [visitId], reason } },
    answer: json(z.array(ExclusionSchema)),
  });
}

/** Lets it count again; both stay recorded. */
export function reverseExclusion({ id, reason }: { id: string; reason: string }): Promise<void> {
  const search = new URLSearchParams({ reason });
  return request({
    method: 'DELETE',
    path: `/api/exclusions/${encodeURIComponent(id)}?${search.toString()}`,
    answer: nothing,
  });
}

/** Where its requests can be downloaded from, as an HTTP Archive. */
export const harPath = (id: string) => `${pathOf(id)}/har`;

/** What the viewport showed. */
export const screenshotPath = (id: string) => `${pathOf(id)}/screenshot`;

/** A frame of a filmstrip. */
export const picturePath = (sha256: string) => `/api/pictures/${sha256}`;

/** Where everything that is stored of it can be downloaded from, its Snapshot included. */
export const visitPath = pathOf;

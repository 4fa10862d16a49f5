import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  SiteDetailSchema,
  RecordedVisitSchema,
  ListedSiteSchema,
  type RecordedVisit,
  type SiteDetail,
  type ListedSite,
} from '#core/protocol/api/stored-site.ts';
import {
  ReplayOfVisitSchema,
  ReplaysOfRunSchema,
  type ReplayOfVisit,
  type ReplaysOfRun,
} from '#core/protocol/api/replay-of-visit.ts';
import { json, nothing, request } from './request.ts';

const pathOf = (id: string) => `/api/sites/${encodeURIComponent(id)}`;

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }): Promise<ListedSite[]> =>
    request({ path: '/api/sites', answer: json(z.array(ListedSiteSchema)), signal }),
});

export const siteQuery = (id: string) =>
  queryOptions({
    queryKey: ['sites', id],
    queryFn: ({ signal }): Promise<SiteDetail> => request({ path: pathOf(id), answer: json(SiteDetailSchema), signal }),
  });

/** One visit of the recording. A Site does not change. */
export const recordedVisitQuery = (id: string, { page, visit }: { page: number; visit: number }) =>
  queryOptions({
    queryKey: ['sites', id, 'visit', page, visit],
    queryFn: ({ signal }): Promise<RecordedVisit> =>
      request({ path: `${pathOf(id)}/visit?page=${page}&visit=${visit}`, answer: json(RecordedVisitSchema), signal }),
    staleTime: Infinity,
  });

/** How like its recording the page of a Visit was. */
export const replayQuery = (visitId: string) =>
  queryOptions({
    queryKey: ['visits', visitId, 'replay'],
    queryFn: ({ signal }): Promise<ReplayOfVisit> =>
      request({
        path: `/api/visits/${encodeURIComponent(visitId)}/replay`,
        answer: json(ReplayOfVisitSchema),
        signal,
      }),
    staleTime: 60_000,
  });

/** The same for the newest Visit of each page of a Site, User Agent and Scenario of a Run. */
export const replaysQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'replays'],
    queryFn: ({ signal }): Promise<ReplaysOfRun> =>
      request({
        path: `/api/runs/${encodeURIComponent(runId)}/replays`,
        answer: json(ReplaysOfRunSchema),
        signal,
      }),
    staleTime: 60_000,
  });

/** `name`: the title of the recording when empty. */
export function uploadSite({ file, name }: { file: File; name: string }): Promise<ListedSite> {
  const query = name === '' ? '' : `?${new URLSearchParams({ name }).toString()}`;
  return request({ method: 'POST', path: `/api/sites${query}`, body: { file }, answer: json(ListedSiteSchema) });
}

export function deleteSite(id: string): Promise<void> {
  return request({ method: 'DELETE', path: pathOf(id), answer: nothing });
}

export function siteFilePath(id: string): string {
  return `${pathOf(id)}/file`;
}

import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  SiteDetailSchema,
  SiteSummarySchema,
  type SiteDetail,
  type SiteSummary,
} from '#core/protocol/api/stored-site.ts';
import { json, nothing, request } from './request.ts';

const pathOf = (id: string) => `/api/sites/${encodeURIComponent(id)}`;

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }): Promise<SiteSummary[]> =>
    request({ path: '/api/sites', answer: json(z.array(SiteSummarySchema)), signal }),
});

export const siteQuery = (id: string) =>
  queryOptions({
    queryKey: ['sites', id],
    queryFn: ({ signal }): Promise<SiteDetail> => request({ path: pathOf(id), answer: json(SiteDetailSchema), signal }),
  });

/** What one visit of the recording fetched, as a HAR. A Site does not change. */
export const siteHarQuery = (id: string, { page, visit }: { page: number; visit: number }) =>
  queryOptions({
    queryKey: ['sites', id, 'har', page, visit],
    queryFn: async ({ signal }) => {
      const [{ readHar }, bytes] = await Promise.all([
        import('#core/har/read-har.ts'),
        request({ path: siteHarPath(id, { page, visit }), answer: (response) => response.bytes(), signal }),
      ]);
      return readHar(bytes, 'The recording').pages[0]!;
    },
    staleTime: Infinity,
  });

/** `name`: the title of the recording when empty. */
export function uploadSite({ file, name }: { file: File; name: string }): Promise<SiteSummary> {
  const query = name === '' ? '' : `?${new URLSearchParams({ name }).toString()}`;
  return request({ method: 'POST', path: `/api/sites${query}`, body: { file }, answer: json(SiteSummarySchema) });
}

export function deleteSite(id: string): Promise<void> {
  return request({ method: 'DELETE', path: pathOf(id), answer: nothing });
}

export function siteFilePath(id: string): string {
  return `${pathOf(id)}/file`;
}

export function siteHarPath(id: string, visit: { page: number; visit: number }): string {
  return `${pathOf(id)}/har?page=${visit.page}&visit=${visit.visit}`;
}

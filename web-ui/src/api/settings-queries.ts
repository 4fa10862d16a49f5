import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { fetchPeople } from './people-requests.ts';
import { fetchAuditPage, fetchRetention, fetchSessions, type AuditFilter } from './settings.ts';

export const peopleQuery = queryOptions({ queryKey: ['people'], queryFn: ({ signal }) => fetchPeople(signal) });

export const sessionsQuery = (of: 'own' | 'everybody') =>
  queryOptions({ queryKey: ['sessions', of], queryFn: ({ signal }) => fetchSessions(of, signal) });

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => fetchRetention(signal),
});

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) => fetchAuditPage({ ...filter, before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

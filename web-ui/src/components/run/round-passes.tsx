import { Skeleton } from '@mantine/core';
import { useQuery, queryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type RoundProgress, PassProgressSchema } from '#core/protocol/api/run.ts';
import { QueryContent } from '../query-content.tsx';
import { z } from 'zod';
import { json, request } from '../../api/request.ts';

/** Of a Round that a Run comes without the Passes of. Such a Round has ended. */
const passesQuery = (runId: string, roundId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'passes', roundId],
    queryFn: ({ signal }) =>
      request({
        path: `/api/runs/${encodeURIComponent(runId)}/rounds/${encodeURIComponent(roundId)}/passes`,
        answer: json(z.array(PassProgressSchema)),
        signal,
      }),
    staleTime: 60_000,
  });

interface RoundPassesProps {
  runId: string;
  round: RoundProgress;
  children: (passes: RoundProgress['passes']) => ReactNode;
}

/** The Passes of a Round: those that its Run came with, or else they are requested. */
export function RoundPasses({ runId, round, children }: RoundPassesProps) {
  const isHere = round.passes.length > 0;
  const query = useQuery({ ...passesQuery(runId, round.id), enabled: !isHere });
  if (isHere) return children(round.passes);
  return (
    <QueryContent query={query} what="The Passes of the Round" skeleton={<Skeleton height={120} />}>
      {children}
    </QueryContent>
  );
}

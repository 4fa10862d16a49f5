import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RoundProgress } from '#core/protocol/api/run.ts';
import { passesQuery } from '../../api/passes-query.ts';
import { QueryContent } from '../query-content.tsx';

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

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem-error.ts';
import { ProblemAlert } from './problem-alert.tsx';
import { RowsSkeleton } from './rows-skeleton.tsx';

interface QueryContentProps<Data> {
  query: UseQueryResult<Data>;
  /** What is asked for, as in "The runs cannot be shown". */
  what: string;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The three states of every answer: awaited, refused, there. An answer that came once stays while it is asked for again. */
export function QueryContent<Data>({ query, what, skeleton, children }: QueryContentProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    const isFinal = problemOf(query.error).code === 'not-found';
    return <ProblemAlert title={`${what} cannot be shown`} error={query.error} {...(!isFinal && { onRetry: () => void query.refetch() })} />;
  }
  return skeleton ?? <RowsSkeleton />;
}

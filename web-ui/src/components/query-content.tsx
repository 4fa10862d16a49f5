import { Button, Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, type ReactNode } from 'react';
import { Link } from 'react-router';
import { problemOf } from '../api/request.ts';
import { PageHeader } from './page-header.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { RowsSkeleton } from './rows-skeleton.tsx';

interface QueryContentProps<Data> {
  query: UseQueryResult<Data>;
  /** What is requested, as in "The Runs cannot be shown". */
  what: string;
  skeleton?: ReactNode;
  /** Of what is a page of its own: where the page leads back to when it cannot be shown. */
  parent?: { to: string; label: string };
  children: (data: Data) => ReactNode;
}

/** The three states of every answer: awaited, refused, there. Where a page has nothing to show for good, a button leads on. An answer stays while it is requested again. If that fails, an alert says so. */
export function QueryContent<Data>({ query, what, skeleton, parent, children }: QueryContentProps<Data>) {
  const isFinal = query.error !== null && problemOf(query.error).code === 'not-found';
  const problem = { error: query.error, ...(!isFinal && { onRetry: () => void query.refetch() }) };
  // What takes long to show is made in slices, between which the page answers.
  const data = useDeferredValue(query.data);
  if (data !== undefined) {
    return (
      <>
        {query.isRefetchError && <ProblemAlert title={`${what} may be out of date: the update failed`} {...problem} />}
        {children(data)}
      </>
    );
  }
  if (query.error) {
    const title = `${what} cannot be shown`;
    if (!parent) return <ProblemAlert title={title} {...problem} />;
    return (
      <>
        <PageHeader title={title} parent={parent} />
        <ProblemAlert {...problem} />
        {isFinal && (
          <Group>
            <Button component={Link} to={parent.to}>
              {parent.label}
            </Button>
          </Group>
        )}
      </>
    );
  }
  return skeleton ?? <RowsSkeleton />;
}

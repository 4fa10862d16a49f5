import { notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ProblemError, problemOf } from '../api/problem-error.ts';
import { sessionQuery } from '../api/queries.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsProblem`: the page shows what went wrong beside the control, so no notification is needed. */
    mutationMeta: { showsProblem?: boolean };
  }
}

/** Retries only when there was no answer: a refusal would stay a refusal. */
const shouldRetry = (failureCount: number, error: Error) =>
  failureCount < 2 && problemOf(error).code === 'controller-unreachable';

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, staleTime: 2000 }, mutations: { retry: false } },
  queryCache: new QueryCache({ onError: signOutWhenRefused }),
  mutationCache: new MutationCache({
    onError: (...[error, , , mutation]) => {
      signOutWhenRefused(error);
      if (!mutation.meta?.showsProblem)
        notifications.show({ color: 'red', title: 'Request failed', message: problemOf(error).message });
    },
  }),
});

/** A session that ended elsewhere brings every page to the sign-in. */
function signOutWhenRefused(error: Error): void {
  if (error instanceof ProblemError && error.problem.code === 'not-signed-in')
    queryClient.setQueryData(sessionQuery.queryKey, null);
}

import { ProblemError, problemOf } from './api/request.ts';
import './app/refuse-eval.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery } from './api/queries.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { router } from './app/router.tsx';
import { resolveColours, theme } from './components/theme.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsProblem`: the page shows what went wrong beside the control, so no notification is needed. */
    mutationMeta: { showsProblem?: boolean };
  }
}

/** Retries only when there was no answer: a refusal would stay a refusal. */
const shouldRetry = (failureCount: number, error: Error) =>
  failureCount < 2 && problemOf(error).code === 'controller-unreachable';

const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      staleTime: 2000,
      // A part of a page may read an answer later than the page itself renders. The page must render with each answer, read or not.
      notifyOnChangeProps: ['data', 'error', 'status', 'hasNextPage', 'isFetchingNextPage'],
    },
    mutations: { retry: false },
  },
  queryCache: new QueryCache({ onError: signOutWhenRefused }),
  mutationCache: new MutationCache({
    onError: (...[error, , , mutation]) => {
      signOutWhenRefused(error);
      if (!mutation.meta?.showsProblem)
        notifications.show({ color: 'red', title: 'Request failed', message: problemOf(error).message });
    },
  }),
});

// Requested while the script of the page still loads. The page that needs it shows the error.
if (!['/sign-in', '/shared'].includes(location.pathname)) queryClient.query(sessionQuery).catch(() => undefined);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={resolveColours}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** A session that ended elsewhere brings every page to the sign-in. */
function signOutWhenRefused(error: Error): void {
  if (error instanceof ProblemError && error.problem.code === 'not-signed-in')
    queryClient.setQueryData(sessionQuery.queryKey, null);
}

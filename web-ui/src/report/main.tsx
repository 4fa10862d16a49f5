import '../app/refuse-eval.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../app/global.css';
import { Container, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createHashRouter, Navigate } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ReportDataSchema, reportDataId, type ReportData } from '#core/comparison/report-file.ts';
import { comparisonQuery, measurementsQuery, methodQuery, wireQuery } from '../api/queries.ts';
import { ReportPlace } from '../components/report-place.ts';
import { resolveColours, theme } from '../components/theme.ts';
import { ComparisonPage } from '../pages/comparison/comparison-page.tsx';
import { offerFigures } from './offer-figures.ts';

const data = ReportDataSchema.parse(JSON.parse(document.getElementById(reportDataId)!.textContent));
const { runId, countedFrom } = data.comparison;

const router = createHashRouter([
  {
    path: '/runs/:runId/comparison',
    element: (
      <Container
        component="main"
        size={1240}
        py="lg"
        style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 32 }}
      >
        <ComparisonPage savedFrom={countedFrom ?? 'navigation-start'} />
      </Container>
    ),
  },
  { path: '*', element: <Navigate to={`/runs/${runId}/comparison`} replace /> },
]);

offerFigures(data);

createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={resolveColours}>
    <QueryClientProvider client={answerFrom(data)}>
      <ReportPlace value="file">
        <RouterProvider router={router} />
      </ReportPlace>
      <Notifications position="bottom-right" />
    </QueryClientProvider>
  </MantineProvider>,
);

/** Every request has its answer already. There is no Controller to request it from again. */
function answerFrom({ comparison, wire, method, measurements }: ReportData): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: Infinity,
        retry: false,
        refetchOnMount: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
    },
  });
  client.setQueryData(comparisonQuery(runId, countedFrom).queryKey, comparison);
  client.setQueryData(wireQuery(runId).queryKey, wire);
  client.setQueryData(methodQuery(runId).queryKey, method);
  if (measurements)
    client.setQueryData(measurementsQuery(runId, { measures: null, from: countedFrom }).queryKey, measurements);
  return client;
}

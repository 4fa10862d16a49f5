import { createBrowserRouter } from 'react-router';
import { loadPage } from '../components/load-page.ts';
import { PageLoading } from './page-loading.tsx';
import { RequireSession } from './require-session.tsx';
import { RouteError } from './route-error.tsx';
import { Shell } from './shell.tsx';

export const router = createBrowserRouter([
  {
    path: '/sign-in',
    lazy: async () => ({ Component: (await loadPage(() => import('../pages/sign-in/sign-in-page.tsx'))).SignInPage }),
    ErrorBoundary: RouteError,
    HydrateFallback: PageLoading,
  },
  {
    path: '/shared',
    lazy: async () => ({ Component: (await loadPage(() => import('../pages/shared/shared-page.tsx'))).SharedPage }),
    ErrorBoundary: RouteError,
    HydrateFallback: PageLoading,
  },
  {
    Component: RequireSession,
    ErrorBoundary: RouteError,
    HydrateFallback: PageLoading,
    children: [
      {
        Component: Shell,
        children: [
          {
            ErrorBoundary: RouteError,
            children: [
              {
                index: true,
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/evaluations/evaluations-page.tsx')))
                    .EvaluationsPage,
                }),
              },
              {
                path: 'evaluations/new',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/new-evaluation/new-evaluation-page.tsx')))
                    .NewEvaluationPage,
                }),
              },
              {
                path: 'evaluations/:evaluationId',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/evaluation/evaluation-page.tsx'))).EvaluationPage,
                }),
              },
              {
                path: 'runs',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/runs/runs-page.tsx'))).RunsPage,
                }),
              },
              {
                path: 'runs/compare',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/compare-runs/compare-runs-page.tsx')))
                    .CompareRunsPage,
                }),
              },
              {
                path: 'runs/:runId',
                lazy: async () => ({ Component: (await loadPage(() => import('../pages/run/run-page.tsx'))).RunPage }),
              },
              {
                path: 'runs/:runId/comparison',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/comparison/comparison-page.tsx'))).ComparisonPage,
                }),
              },
              {
                path: 'runs/:runId/visits',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/visit/visits-page.tsx'))).VisitsPage,
                }),
              },
              {
                path: 'runs/:runId/visits/compare',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/compare-visits/compare-visits-page.tsx')))
                    .CompareVisitsPage,
                }),
              },
              {
                path: 'runs/:runId/visits/:visitId',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/visit/visit-page.tsx'))).VisitPage,
                }),
              },
              {
                path: 'hosts',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/hosts/hosts-page.tsx'))).HostsPage,
                }),
              },
              {
                path: 'hosts/ssh',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/hosts/hosts-by-ssh-page.tsx'))).HostsBySshPage,
                }),
              },
              {
                path: 'help/*',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/help/help-page.tsx'))).HelpPage,
                }),
              },
              {
                path: 'settings/:view?',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/settings/settings-page.tsx'))).SettingsPage,
                }),
              },
              {
                path: '*',
                lazy: async () => ({
                  Component: (await loadPage(() => import('../pages/not-found/not-found-page.tsx'))).NotFoundPage,
                }),
              },
            ],
          },
        ],
      },
    ],
  },
]);

import {
  createBrowserRouter,
  useRouteError,
  Navigate,
  Outlet,
  useLocation,
  Link,
  useNavigation,
  NavigationType,
  useNavigationType,
} from 'react-router';
import { loadPage } from '../api/load-page.ts';
import { Container, Anchor } from '@mantine/core';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.ts';
import { AccountMenu } from './account-menu.tsx';
import { PaletteLauncher } from './palette/palette-launcher.tsx';
import { KeyList } from './key-list.tsx';
import { isPlaceOf, places } from './places.ts';
import classes from './shell.module.css';
import { useEffect, useRef, type ComponentType, type RefObject } from 'react';
import { RowsSkeleton } from '../components/rows-skeleton.tsx';

/** A page whose script is loaded when it is gone to. */
const page =
  <Name extends string>(name: Name, load: () => Promise<Record<NoInfer<Name>, ComponentType>>) =>
  async () => ({ Component: (await loadPage(load))[name] });

export const router = createBrowserRouter([
  {
    path: '/sign-in',
    lazy: page('SignInPage', () => import('../pages/sign-in/sign-in-page.tsx')),
    ErrorBoundary: RouteError,
    HydrateFallback: PageLoading,
  },
  {
    path: '/shared',
    lazy: page('SharedPage', () => import('../pages/shared/shared-page.tsx')),
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
              { index: true, lazy: page('EvaluationsPage', () => import('../pages/evaluations/evaluations-page.tsx')) },
              {
                path: 'evaluations/new',
                lazy: page('NewEvaluationPage', () => import('../pages/new-evaluation/new-evaluation-page.tsx')),
              },
              {
                path: 'evaluations/:evaluationId',
                lazy: page('EvaluationPage', () => import('../pages/evaluation/evaluation-page.tsx')),
              },
              { path: 'runs', lazy: page('RunsPage', () => import('../pages/runs/runs-page.tsx')) },
              {
                path: 'runs/compare',
                lazy: page('CompareRunsPage', () => import('../pages/compare-runs/compare-runs-page.tsx')),
              },
              { path: 'runs/:runId', lazy: page('RunPage', () => import('../pages/run/run-page.tsx')) },
              {
                path: 'runs/:runId/comparison',
                lazy: page('ComparisonPage', () => import('../pages/comparison/comparison-page.tsx')),
              },
              { path: 'runs/:runId/visits', lazy: page('VisitsPage', () => import('../pages/visit/visits-page.tsx')) },
              {
                path: 'runs/:runId/visits/compare',
                lazy: page('CompareVisitsPage', () => import('../pages/compare-visits/compare-visits-page.tsx')),
              },
              {
                path: 'runs/:runId/visits/:visitId',
                lazy: page('VisitPage', () => import('../pages/visit/visit-detail-page.tsx')),
              },
              { path: 'har', lazy: page('HarPage', () => import('../pages/har/har-page.tsx')) },
              { path: 'hosts', lazy: page('HostsPage', () => import('../pages/hosts/hosts-page.tsx')) },
              { path: 'hosts/ssh', lazy: page('HostsBySshPage', () => import('../pages/hosts/hosts-by-ssh-page.tsx')) },
              { path: 'sites', lazy: page('SitesPage', () => import('../pages/sites/sites-page.tsx')) },
              { path: 'sites/:siteId', lazy: page('SitePage', () => import('../pages/sites/site-detail-page.tsx')) },
              { path: 'help/*', lazy: page('HelpPage', () => import('../pages/help/help-page.tsx')) },
              {
                path: 'settings/:view?',
                lazy: page('SettingsPage', () => import('../pages/settings/settings-page.tsx')),
              },
              { path: '*', lazy: page('NotFoundPage', () => import('../pages/not-found/not-found-page.tsx')) },
            ],
          },
        ],
      },
    ],
  },
]);

/** Shows the error of a page in its place; the rest of the window stays. */
function RouteError() {
  return (
    <Container size="sm" py="xl">
      <ProblemAlert title="This page cannot be shown" error={useRouteError()} onRetry={() => location.reload()} />
    </Container>
  );
}

/** Shows the page to signed-in people only. The others sign in first, then come back to it. */
function RequireSession() {
  const session = useQuery(sessionQuery);
  const { pathname, search, hash } = useLocation();

  if (session.data) return <Outlet />;
  if (session.data === null)
    return <Navigate to={`/sign-in?${new URLSearchParams({ next: pathname + search + hash }).toString()}`} replace />;
  if (session.error) {
    return (
      <Container size="sm" py="xl">
        <ProblemAlert
          title="No connection to the Controller"
          error={session.error}
          onRetry={() => void session.refetch()}
        />
      </Container>
    );
  }
  return <PageLoading />;
}

/** The frame around every page: the places, the account, and the page itself. */
function Shell() {
  const content = usePageStart<HTMLDivElement>();
  const isLeaving = useNavigation().state === 'loading';
  const { pathname } = useLocation();
  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <header className={classes.header}>
        <Container size={1240} className={classes.bar}>
          <Anchor component={Link} to="/" className={classes.brand} c="inherit" underline="never">
            <img src="/favicon.svg" alt="" width={22} height={22} />
            HTTP-AE
          </Anchor>
          <nav className={classes.places} aria-label="Places">
            {places.map((place) => (
              <Link
                key={place.to}
                to={place.to}
                className={classes.place}
                aria-current={isPlaceOf(place, pathname) ? 'page' : undefined}
              >
                {place.label}
              </Link>
            ))}
          </nav>
          <PaletteLauncher />
          <KeyList />
          <AccountMenu />
        </Container>
      </header>
      <Container
        component="main"
        ref={content}
        id="content"
        size={1240}
        className={classes.page}
        tabIndex={-1}
        aria-busy={isLeaving}
      >
        <Outlet />
      </Container>
    </>
  );
}

/**
 * A page that was gone to begins at its top, with the keyboard and the screen reader at its content. Going back keeps the place,
 * which the browser remembers.
 */
function usePageStart<Content extends HTMLElement>(): RefObject<Content | null> {
  const content = useRef<Content>(null);
  const shown = useRef<string | null>(null);
  const { pathname } = useLocation();
  const isGoingBack = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    const isFirst = shown.current === null;
    if (shown.current === pathname) return;
    shown.current = pathname;
    // A tab keeps the focus, so that the arrow keys lead to the next one.
    if (isFirst || isGoingBack || document.activeElement?.getAttribute('role') === 'tab') return;
    content.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname, isGoingBack]);

  return content;
}

/** Shown until the code of the first page is loaded. */
function PageLoading() {
  return (
    <Container size={1240} pt={96}>
      <RowsSkeleton />
    </Container>
  );
}

import { accountRoutes } from './account-routes.ts';
import { agentRoutes } from './agent-routes.ts';
import { annotationRoutes } from './annotation-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { bundleRoutes } from './bundle-routes.ts';
import { captureRoutes } from './capture-routes.ts';
import { describeApi } from '../describe-api.ts';
import { evaluationRoutes } from './evaluation-routes.ts';
import { exclusionRoutes } from './exclusion-routes.ts';
import { metaRoutes } from './meta-routes.ts';
import { operatingRoutes } from './operating-routes.ts';
import { comparisonRoutes } from './comparison-routes.ts';
import { reportRoutes } from './report-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { retentionRoutes } from './retention-routes.ts';
import type { Route } from '../route.ts';
import { runRoutes } from './run-routes.ts';
import type { Services } from '../services.ts';
import { shareRoutes } from './share-routes.ts';
import { studyRoutes } from './study-routes.ts';
import { tryRoutes } from './try-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { visitArtefactRoutes } from './visit-artefact-routes.ts';
import { visitRoutes } from './visit-routes.ts';

/** The table of all routes. */
export function listRoutes(services: Services): Route[] {
  const routes: Route[] = [
    ...sessionRoutes(services),
    ...accountRoutes(services),
    ...peopleRoutes(services),
    ...evaluationRoutes(services),
    ...runRoutes(services),
    ...annotationRoutes(services),
    ...tryRoutes(services),
    ...studyRoutes(),
    ...comparisonRoutes(services),
    ...reportRoutes(services),
    ...shareRoutes(services),
    ...visitRoutes(services),
    ...visitArtefactRoutes(services),
    ...exclusionRoutes(services),
    ...bundleRoutes(services),
    ...captureRoutes(services),
    ...agentRoutes(services),
    ...tokenRoutes(services),
    ...auditRoutes(services),
    ...retentionRoutes(services),
    ...operatingRoutes(services),
    ...metaRoutes(services, () => describeApi(routes, services)),
  ];
  return routes;
}

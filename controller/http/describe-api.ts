import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { EvaluationDocumentSchema } from '#core/evaluation/evaluation-document.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';

/** By what a request proves who sends it. */
function securityOf({ access, isForPeople, isShared, isForAgents }: Route): Record<string, string[]>[] {
  if (access === 'open') return [];
  if (access === 'agent') return [{ agentToken: [] }];
  if (isForPeople || access === 'self') return [{ session: [] }];
  return [
    { session: [] },
    { token: [] },
    ...(isShared ? [{ share: [] }] : []),
    ...(isForAgents ? [{ agentToken: [] }] : []),
  ];
}

/** Whom a route is for, in words. */
function describeAccess({ access }: Route): string {
  return access === 'open'
    ? 'For everyone.'
    : access === 'agent'
      ? 'For Agents.'
      : access === 'self'
        ? 'For any signed-in person.'
        : `Needs the role "${access}".`;
}

/** The OpenAPI document of a table of routes. */
export function describeApi(
  routes: readonly Route[],
  { controllerVersion: version, cookieName }: Pick<Services, 'controllerVersion' | 'cookieName'>,
): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: describeRoute(route) };
  }
  return {
    ...createDocument({
      openapi: '3.1.1',
      info: {
        title: 'HTTP-AE Controller',
        version,
        description: 'Each change with a session cookie needs the session’s token in the header x-csrf-token.',
      },
      paths,
      components: {
        schemas: {
          Evaluation: EvaluationDocumentSchema,
          Snapshot: SnapshotSchema,
          RunSummary: RunSummarySchema,
          RunDetail: RunDetailSchema,
          Comparison: ComparisonSchema,
          Problem: ProblemSchema,
        },
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: cookieName },
          token: { type: 'http', scheme: 'bearer', description: 'A token of scope "api"' },
          share: { type: 'http', scheme: 'bearer', description: 'The secret of a shared link, for its Run' },
          agentToken: { type: 'http', scheme: 'bearer', description: 'A token of scope "agent"' },
        },
      },
    }),
  };
}

function describeRoute(route: Route): ZodOpenApiOperationObject {
  const { summary, params, query, body, takesYaml, status, content } = route;
  return {
    summary,
    description: describeAccess(route),
    security: securityOf(route),
    ...((params ?? query) && { requestParams: { ...(params && { path: params }), ...(query && { query }) } }),
    ...(body && {
      requestBody: {
        content: { 'application/json': { schema: body }, ...(takesYaml && { 'application/yaml': { schema: body } }) },
      },
    }),
    responses: {
      [status]: {
        description: summary,
        ...(Object.keys(content).length > 0 && {
          content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
        }),
      },
      default: {
        description: 'What is wrong, where, and what to do',
        content: { 'application/json': { schema: ProblemSchema } },
      },
    },
  };
}

import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeApi } from '#controller/http/describe-api.ts';
import type { Route } from '#controller/http/route.ts';

const shape = z.object({ name: z.string() });
const route = (change: Partial<Route> = {}) =>
  ({
    method: 'get',
    path: '/api/runs/:id/visits/:visit',
    summary: 'Get a Visit',
    access: 'viewer',
    status: 200,
    content: { 'application/json': shape },
    ...change,
  }) as unknown as Route;

interface Operation {
  description: string;
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, unknown> };
  parameters?: { name: string; in: string; required?: boolean }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}
const describe = (...routes: Route[]) =>
  describeApi(routes, { controllerVersion: '1.2.3', cookieName: 'its-cookie' }) as {
    info: { version: string };
    paths: Record<string, Record<string, Operation>>;
    components: { securitySchemes: Record<string, { name?: string }> };
  };
const operation = (change: Partial<Route> = {}) => Object.values(Object.values(describe(route(change)).paths)[0]!)[0]!;

test.each<[Partial<Route>, string[], string]>([
  [{ access: 'open' }, [], 'For everyone.'],
  [{ access: 'agent' }, ['agentToken'], 'For Agents.'],
  [{ access: 'self' }, ['session'], 'For any signed-in person.'],
  [{ access: 'viewer' }, ['session', 'token'], 'Needs the role "viewer".'],
  [{ access: 'evaluator', isForPeople: true }, ['session'], 'Needs the role "evaluator".'],
  [{ access: 'viewer', isShared: true }, ['session', 'token', 'share'], 'Needs the role "viewer".'],
  [{ access: 'viewer', isForAgents: true }, ['session', 'token', 'agentToken'], 'Needs the role "viewer".'],
])('the document of %j names %j, and says "%s"', (change, ways, words) => {
  const { security, description } = operation(change);
  expect([security.flatMap((each) => Object.keys(each)), description]).toEqual([ways, words]);
});

test('routes of one path are beside each other, with their parameters, bodies and answers', () => {
  const params = z.object({ id: z.string(), visit: z.string() });
  const { paths, info, components } = describe(
    route({ params, query: z.object({ from: z.string().optional() }) }),
    route({ method: 'put', status: 201, params, body: shape, takesYaml: true, content: {} }),
    route({ method: 'post', path: '/api/runs', body: shape }),
  );
  expect(info.version).toBe('1.2.3');
  expect(components.securitySchemes.session!.name).toBe('its-cookie');
  const visit = paths['/api/runs/{id}/visits/{visit}']!;
  expect([Object.keys(paths).length, Object.keys(visit)]).toEqual([2, ['get', 'put']]);
  expect(visit.get!.parameters!.map(({ name, in: place }) => `${place} ${name}`)).toEqual([
    'path id',
    'path visit',
    'query from',
  ]);
  expect([visit.get!.requestBody, Object.keys(visit.get!.responses['200']!.content!)]).toEqual([
    undefined,
    ['application/json'],
  ]);
  expect(Object.keys(visit.put!.requestBody!.content)).toEqual(['application/json', 'application/yaml']);
  expect(visit.put!.responses['201']!.content).toBeUndefined();
  expect(Object.keys(paths['/api/runs']!.post!.requestBody!.content)).toEqual(['application/json']);
  for (const { responses } of [visit.get!, visit.put!]) expect(responses).toHaveProperty('default');
});

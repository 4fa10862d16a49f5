import { ComparisonOutlineSchema } from '#core/comparison/comparison-outline.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { UserCellPageSchema, UserCellSearchSchema, ComparedCellsSchema } from '#core/protocol/api/user-cells.ts';
import { outlineRun } from './outline-run.ts';
import { jsonRoute, streamRoute, type Route, FromQuery, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';

const ComparisonQuery = FromQuery.extend({ cells: ComparedCellsSchema.default('all') });
const CellsQuery = FromQuery.extend(UserCellSearchSchema.shape);

/** The Evaluation Comparison, whole and in parts. */
export function comparisonRoutes({ pool, reports, causes }: Services): Route[] {
  return [
    streamRoute({
      method: 'get',
      path: '/api/runs/:id/comparison',
      summary:
        'Get the Evaluation Comparison of a Run, from the data stored so far. `cells=pooled` leaves out those of single User Agents',
      access: 'viewer',
      isShared: true,
      params: IdParams,
      query: ComparisonQuery,
      content: { 'application/json': ComparisonSchema },
      write: async ({ params, query, response }) => {
        const json = await reports.readComparison(params.id, query.from, query.cells);
        response.type('application/json').end(json);
        causes.want(params.id);
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/comparison/outline',
      summary: 'Get the means and reductions of the Evaluation Comparison, at once even if the whole takes seconds',
      access: 'viewer',
      isShared: true,
      params: IdParams,
      answer: ComparisonOutlineSchema,
      handle: ({ params }) => outlineRun(pool, params.id),
    }),
    streamRoute({
      method: 'get',
      path: '/api/runs/:id/comparison/cells',
      summary:
        'Get what the Evaluation Comparison has of one User Agent in one latency, by URL and Scenario, 200 URLs at a time',
      access: 'viewer',
      isShared: true,
      params: IdParams,
      query: CellsQuery,
      content: { 'application/json': UserCellPageSchema },
      write: async ({ params, query, response }) => {
        const json = await reports.readUserCells(params.id, query);
        response.type('application/json').end(json);
      },
    }),
  ];
}

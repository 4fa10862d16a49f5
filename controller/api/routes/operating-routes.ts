import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { findMigrationProblem } from '../../db/connection/migrate.ts';
import { readStoredFigures } from '../../db/stored-figures.ts';
import { jsonRoute, streamRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

/** What supervisors and Prometheus ask, where they expect it. */
export function operatingRoutes({ pool, storeWatch, metrics, readLoad }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/healthz',
      summary: 'Check that the process of the Controller answers; it does not ask the database',
      access: 'open',
      answer: z.object({ status: z.literal('ok') }),
      handle: () => Promise.resolve({ status: 'ok' as const }),
    }),
    jsonRoute({
      method: 'get',
      path: '/readyz',
      summary:
        'Check that the database answers and has the schema of this version. `problem` is what else needs an operator, such as a store of traces that is away',
      access: 'open',
      answer: z.object({ status: z.literal('ready'), problem: z.string().nullable() }),
      handle: async () => {
        const problem = await findMigrationProblem(pool);
        if (problem !== null) throw new AppError('migration-failed', problem);
        return { status: 'ready' as const, problem: storeWatch.problem };
      },
    }),
    streamRoute({
      method: 'get',
      path: '/metrics',
      summary: 'Get the metrics of this Controller for Prometheus',
      access: 'viewer',
      content: { 'text/plain': z.string() },
      write: async ({ response }) => {
        const text = await metrics.read(readLoad(), await readStoredFigures(pool));
        response.set('cache-control', 'no-store').type(metrics.contentType).send(text);
      },
    }),
  ];
}

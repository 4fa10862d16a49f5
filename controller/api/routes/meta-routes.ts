import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { createEvaluationJsonSchema } from '#core/evaluation/evaluation-json-schema.ts';
import { jsonRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const HealthSchema = z.object({ status: z.literal('ok'), version: z.string() });

/** What anybody may ask: whether the Controller works, and what its API is. */
export function metaRoutes(
  { pool, disk, controllerVersion }: Services,
  describe: () => Record<string, unknown>,
): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/health',
      summary: 'Check that the Controller and its database work and have free disk space',
      access: 'open',
      answer: HealthSchema,
      handle: async () => {
        await pool.query('select 1');
        const problem = await disk.findProblem();
        if (problem !== null) throw new AppError('disk-full', problem);
        return { status: 'ok' as const, version: controllerVersion };
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/openapi.json',
      summary: 'Get this description',
      access: 'open',
      answer: z.record(z.string(), z.unknown()),
      handle: () => Promise.resolve(describe()),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/evaluation.schema.json',
      summary: 'Get the JSON Schema of an Evaluation, for editors and other programs',
      access: 'open',
      answer: z.record(z.string(), z.unknown()),
      handle: () => Promise.resolve({ ...createEvaluationJsonSchema() }),
    }),
  ];
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { listAddedRounds } from '../../db/runs/added-rounds.ts';
import { readBundleLines } from '../../db/bundle-lines.ts';
import { needVisits } from '../../db/visits/kept-visits.ts';
import { writeBundle } from '../../reports/write-bundle.ts';
import { IdParams } from '../parameters.ts';
import { streamRoute, type Route } from '../route.ts';
import { isOpen } from '../run-detail.ts';
import { needRun } from './run-routes.ts';
import type { Services } from '../services.ts';

export function bundleRoutes({ pool, controllerVersion }: Services): Route[] {
  return [
    streamRoute({
      method: 'get',
      path: '/api/runs/:id/bundle',
      summary:
        'Export all stored data of an ended Run as gzip-compressed lines of JSON, with raw Snapshots and hashes of traces. The command "report" makes its report',
      access: 'viewer',
      params: IdParams,
      content: { 'application/gzip': z.string() },
      write: async ({ params, response, signal }) => {
        if (isOpen(await needRun(pool, params.id)))
          throw new AppError('conflict', `Run ${params.id} has not ended: wait for its end, or stop it`);
        await needVisits(pool, params.id);
        response.attachment(`run-${params.id}.bundle.gz`);
        response.type('application/gzip');
        const text = writeBundle(readBundleLines(pool, params.id), {
          httpAeVersion: controllerVersion,
          hasAdded: (await listAddedRounds(pool, params.id)).length > 0,
        });
        await pipeline(Readable.from(text), createGzip(), response, { signal });
      },
    }),
  ];
}

import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { buildHar } from '#core/har/build-har.ts';
import type { VisitDetail } from '#core/protocol/api/visit.ts';
import { Sha256Schema } from '#core/protocol/capture.ts';
import type { Queryable } from '../db/queryable.ts';
import { findVisit } from '../db/visit-detail.ts';
import { emptyRoute, streamRoute, type Route } from './route.ts';
import type { Services } from './services.ts';

const VisitParams = z.object({ id: z.uuid() });
const ScreenshotParams = z.object({ sha256: Sha256Schema });

/** What is kept of a Visit beside its measurement. */
export function visitArtefactRoutes({ pool, pictures, controllerVersion }: Services): Route[] {
  return [
    streamRoute({
      method: 'get',
      path: '/api/visits/:id/har',
      summary: 'The requests of a Visit with their phases, as an HTTP Archive (HAR 1.2); headers are in it where the Evaluation asked for them',
      access: 'viewer',
      params: VisitParams,
      content: { 'application/json': z.object({ log: z.record(z.string(), z.unknown()) }) },
      write: async ({ params, response }) => {
        const visit = await needVisit(pool, params.id);
        if (!visit.snapshot) throw new AppError('not-found', `There is no HAR of the Visit ${visit.id}: it failed (${visit.code ?? 'unknown'}) before anything of a page was seen`);
        response.attachment(`visit-${visit.id}.har`).type('application/json');
        response.send(JSON.stringify(buildHar(visit.snapshot, { visit: { ...visit, description: describe(visit) }, creatorVersion: controllerVersion })));
        return Promise.resolve();
      },
    }),
    streamRoute({
      method: 'get',
      path: '/api/visits/:id/screenshot',
      summary: 'What the viewport showed after a Visit was measured: a JPEG, where the Evaluation asked for it',
      access: 'viewer',
      params: VisitParams,
      content: { 'image/jpeg': z.string() },
      write: async ({ params, response, signal }) => {
        const sha256 = needScreenshot(await needVisit(pool, params.id));
        await using file = await pictures.files.open(sha256);
        if (!file) throw new AppError('not-found', `The screenshot ${sha256} is not here: its Agent has not uploaded it yet, it was removed to make room, or another Controller keeps it`);
        response.type('image/jpeg');
        response.setHeader('content-length', (await file.stat()).size);
        response.setHeader('content-disposition', `inline; filename="visit-${params.id}.jpg"`);
        // An image of a foreign page: should a browser ever take it for a document, it may do nothing.
        response.setHeader('content-security-policy', `default-src 'none'; sandbox`);
        await pipeline(file.createReadStream({ autoClose: false }), response, { signal });
      },
    }),
    emptyRoute({
      method: 'put',
      path: '/api/pictures/:sha256',
      summary: 'Upload the screenshot of a Visit under the SHA-256 of its contents; to repeat it is harmless',
      access: 'agent',
      params: ScreenshotParams,
      handle: ({ params, request }) => pictures.receive(params.sha256, request),
    }),
  ];
}

/** Throws `not-found`. */
async function needVisit(pool: Queryable, id: string): Promise<VisitDetail> {
  const visit = await findVisit(pool, id);
  if (!visit) throw new AppError('not-found', `There is no Visit ${id}`);
  return visit;
}

/** Throws `not-found`. */
function needScreenshot({ id, screenshot }: VisitDetail): string {
  if (screenshot === null) throw new AppError('not-found', `There is no screenshot of the Visit ${id}: its Evaluation did not ask for one with "artefacts: { screenshot: true }"`);
  if (screenshot.kind === 'absent') throw new AppError('not-found', `There is no screenshot of the Visit ${id}: ${screenshot.reason}`);
  return screenshot.sha256;
}

function describe({ runId, block, scenario, userAgent }: VisitDetail): string {
  return `Run ${runId}, Block ${block}, Scenario "${scenario}", User Agent "${userAgent}"`;
}

import type { Response } from 'express';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { Sha256Schema } from '#core/protocol/capture-outcome.ts';
import type { PictureArchive } from '../captures/artefacts/picture-archive.ts';
import { needVisit, type FoundVisit } from './visit-detail.ts';
import { emptyRoute, sendPieces, streamRoute, type Route } from '../http/route.ts';
import type { Services } from '../http/services.ts';

const VisitParams = z.object({ id: z.uuid() });
const PictureParams = z.object({ sha256: Sha256Schema });

/** What is kept of a Visit beside its measurement. */
export function visitArtefactRoutes({ pool, pictures, snapshots, controllerVersion }: Services): Route[] {
  return [
    streamRoute({
      method: 'get',
      path: '/api/visits/:id/har',
      summary:
        'Get the requests of a Visit with their phases, as an HTTP Archive (HAR 1.2). It has headers if the Evaluation records them',
      access: 'viewer',
      params: VisitParams,
      content: { 'application/json': z.object({ log: z.record(z.string(), z.unknown()) }) },
      write: async ({ params, response }) => {
        const { visit, snapshot } = await needVisit(pool, params.id);
        if (snapshot === null)
          throw new AppError(
            'not-found',
            visit.status === 'ok'
              ? `There is no HAR of the Visit ${visit.id}: the retention setting deleted its Snapshot`
              : `There is no HAR of the Visit ${visit.id}: it failed (${visit.code ?? 'unknown'}) without a Snapshot`,
          );
        const har = await snapshots.write(snapshot, {
          kind: 'har',
          visit: { ...visit, page: visit.url, description: describe(visit) },
          creatorVersion: controllerVersion,
        });
        response.attachment(`visit-${visit.id}.har`).type('application/json');
        response.send(har);
      },
    }),
    streamRoute({
      method: 'get',
      path: '/api/visits/:id/screenshot',
      summary: 'Get the screenshot of the viewport after a Visit: a JPEG, if the Evaluation takes screenshots',
      access: 'viewer',
      params: VisitParams,
      content: { 'image/jpeg': z.string() },
      write: async ({ params, response, signal }) => {
        const sha256 = needScreenshot((await needVisit(pool, params.id)).visit);
        await sendPicture({ pictures, sha256, fileName: `visit-${params.id}.jpg`, response, signal });
      },
    }),
    streamRoute({
      method: 'get',
      path: '/api/pictures/:sha256',
      summary: 'Get a frame of a filmstrip, by its hash in the Visit: a JPEG',
      access: 'viewer',
      params: PictureParams,
      content: { 'image/jpeg': z.string() },
      write: ({ params: { sha256 }, response, signal }) =>
        sendPicture({ pictures, sha256, fileName: `${sha256}.jpg`, response, signal }),
    }),
    emptyRoute({
      method: 'put',
      path: '/api/pictures/:sha256',
      summary:
        'Upload a screenshot, or a frame of a filmstrip, under the SHA-256 of its contents; a repeat is harmless',
      access: 'agent',
      params: PictureParams,
      handle: ({ params, request }) => pictures.receive(params.sha256, request),
    }),
  ];
}

interface SentPicture {
  pictures: PictureArchive;
  sha256: string;
  fileName: string;
  response: Response;
  signal: AbortSignal;
}

/** Throws `not-found`. */
async function sendPicture({ pictures, sha256, fileName, response, signal }: SentPicture): Promise<void> {
  await using file = await pictures.files.open(sha256);
  if (!file)
    throw new AppError(
      'not-found',
      `No picture ${sha256}: its Agent has not uploaded it yet, it was removed to make room, or another Controller has it`,
    );
  response.type('image/jpeg');
  response.setHeader('content-length', file.bytes);
  response.setHeader('content-disposition', `inline; filename="${fileName}"`);
  // An image of a foreign page: should a browser ever take it for a document, it may do nothing.
  response.setHeader('content-security-policy', `default-src 'none'; sandbox`);
  await sendPieces(file.read(), { response, signal });
}

/** Throws `not-found`. */
function needScreenshot({ id, screenshot }: FoundVisit['visit']): string {
  if (screenshot === null)
    throw new AppError(
      'not-found',
      `There is no screenshot of the Visit ${id}: its Evaluation lacks "artefacts: { screenshot: true }"`,
    );
  if (screenshot.kind === 'absent')
    throw new AppError('not-found', `There is no screenshot of the Visit ${id}: ${screenshot.reason}`);
  return screenshot.sha256;
}

function describe({ runId, block, scenario, userAgent }: FoundVisit['visit']): string {
  return `Run ${runId}, Block ${block}, Scenario "${scenario}", User Agent "${userAgent}"`;
}

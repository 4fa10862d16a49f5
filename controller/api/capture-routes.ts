import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { CaptureDetailSchema, type CaptureDetail } from '#core/protocol/api/capture.ts';
import { Sha256Schema } from '#core/protocol/capture.ts';
import { readCaptureDetail } from './capture-detail.ts';
import { emptyRoute, jsonRoute, streamRoute, type Route } from './route.ts';
import type { Services } from './services.ts';

const PassParams = z.object({ id: z.uuid() });
const ArtefactParams = z.object({ sha256: Sha256Schema });

export function captureRoutes({ pool, traces }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/passes/:id/capture',
      summary: 'The packet statistics of a Pass, or why there are none',
      access: 'evaluator',
      params: PassParams,
      answer: CaptureDetailSchema,
      handle: ({ params }) => readCaptureDetail(pool, params.id),
    }),
    streamRoute({
      method: 'get',
      path: '/api/passes/:id/trace',
      summary: 'The packets of a Pass: a pcap file, compressed by gzip',
      access: 'evaluator',
      params: PassParams,
      content: { 'application/gzip': z.string() },
      write: async ({ params, response, signal }) => {
        const capture = await readCaptureDetail(pool, params.id);
        const sha256 = needTrace(capture);
        await using file = await traces.files.open(sha256);
        if (!file) throw new AppError('not-found', `The trace ${sha256} is not in this Controller's folder: it was deleted there, or another Controller keeps it`);
        response.attachment(nameTrace(capture));
        response.setHeader('content-length', (await file.stat()).size);
        await pipeline(file.createReadStream({ autoClose: false }), response, { signal });
      },
    }),
    emptyRoute({
      method: 'put',
      path: '/api/artefacts/:sha256',
      summary: 'Upload a file under the SHA-256 of its contents; to repeat it is harmless',
      access: 'agent',
      params: ArtefactParams,
      handle: ({ params, request }) => traces.files.receive(params.sha256, request),
    }),
  ];
}

/** Throws `not-found`. */
function needTrace({ passId, outcome }: CaptureDetail): string {
  const trace = outcome.kind === 'captured' ? outcome.trace : outcome;
  if (trace.kind === 'absent') throw new AppError('not-found', `There is no trace of the Pass ${passId}: ${trace.reason}`);
  return trace.sha256;
}

function nameTrace({ runId, block, scenario, userAgent }: CaptureDetail): string {
  return `run-${runId}-block-${block}-${scenario}-${userAgent}`.replace(/[^\w.-]+/g, '_') + '.pcap.gz';
}

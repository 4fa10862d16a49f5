import type { Response } from 'express';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import {
  CaptureDetailSchema,
  PointCaptureDetailSchema,
  type CaptureDetail,
  type PointCaptureDetail,
} from '#core/protocol/api/stored-capture.ts';
import { Sha256Schema, type CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { needAgent } from '../people/identify.ts';
import { formatCapturesAsLines, exportCaptures } from './capture-columns.ts';
import { emptyRoute, jsonRoute, sendPieces, streamRoute, type Route, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { needRun } from '../runs/run-routes.ts';
import { findPassCapture, findPointCapture, explainNoCaptureOfPass, explainNotStored } from './captures.ts';
import type { Queryable } from '../database/queryable.ts';

const CaptureParams = z.object({ id: z.uuid() });
const ArtefactParams = z.object({ sha256: Sha256Schema });
const traceContent = { 'application/gzip': z.string() };

export function captureRoutes({ pool, traces }: Services): Route[] {
  const sendTrace = async (
    capture: CapturedIn & { of: string },
    { response, signal }: { response: Response; signal: AbortSignal },
  ) => {
    const sha256 = needTrace(capture.outcome);
    await using file = await traces.files.open(sha256);
    if (!file)
      throw new AppError(
        'not-found',
        `The trace ${sha256} is not where this Controller keeps its files: it was deleted, or another Controller has it`,
      );
    response.attachment(nameTrace(capture));
    response.setHeader('content-length', file.bytes);
    await sendPieces(file.read(), { response, signal });
  };

  return [
    streamRoute({
      method: 'get',
      path: '/api/runs/:id/captures',
      summary: 'Export the packet statistics of each Pass and Capture Point of a Run, a line of JSON each',
      access: 'viewer',
      params: IdParams,
      content: { 'application/jsonl': z.string() },
      write: async ({ params, response, signal }) => {
        await needRun(pool, params.id);
        response.attachment(`run-${params.id}-captures.jsonl`).type('application/jsonl; charset=utf-8');
        await sendPieces(formatCapturesAsLines(exportCaptures(pool, params.id)), { response, signal });
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/passes/:id/capture',
      summary: 'Get the packet statistics of a Pass, or why it has none',
      access: 'viewer',
      params: CaptureParams,
      answer: CaptureDetailSchema,
      handle: ({ params }) => readCaptureDetail(pool, params.id),
    }),
    streamRoute({
      method: 'get',
      path: '/api/passes/:id/trace',
      summary: 'Download the packets of a Pass: a pcap file, compressed by gzip',
      access: 'viewer',
      params: CaptureParams,
      content: traceContent,
      write: async ({ params, ...exchange }) => {
        const detail = await readCaptureDetail(pool, params.id);
        await sendTrace({ ...detail, of: detail.userAgent }, exchange);
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/captures/:id',
      summary: 'Get the packet statistics of a Capture Point in one Round, or why it has none',
      access: 'viewer',
      params: CaptureParams,
      answer: PointCaptureDetailSchema,
      handle: ({ params }) => readPointCaptureDetail(pool, params.id),
    }),
    streamRoute({
      method: 'get',
      path: '/api/captures/:id/trace',
      summary: 'Download the packets of a Capture Point in one Round: a pcap file, compressed by gzip',
      access: 'viewer',
      params: CaptureParams,
      content: traceContent,
      write: async ({ params, ...exchange }) => {
        const detail = await readPointCaptureDetail(pool, params.id);
        await sendTrace({ ...detail, of: detail.capturePoint }, exchange);
      },
    }),
    emptyRoute({
      method: 'put',
      path: '/api/artefacts/:sha256',
      summary:
        'Upload a trace under the SHA-256 of its contents; a repeat is harmless. Without a Capture that names it, it is removed after a day',
      access: 'agent',
      params: ArtefactParams,
      handle: async ({ params, request }) =>
        traces.receive({ ...params, tokenId: await needAgent(pool, request) }, request),
    }),
  ];
}

interface CapturedIn {
  runId: string;
  block: number;
  scenario: string;
  outcome: CaptureOutcome;
}

/** Throws `not-found`. */
function needTrace(outcome: CaptureOutcome): string {
  const trace = outcome.kind === 'captured' ? outcome.trace : outcome;
  if (trace.kind === 'absent') throw new AppError('not-found', `There is no trace: ${trace.reason}`);
  return trace.sha256;
}

function nameTrace({ runId, block, scenario, of }: CapturedIn & { of: string }): string {
  return `run-${runId}-block-${block}-${scenario}-${of}`.replace(/[^\w.-]+/g, '_') + '.pcap.gz';
}

/** Throws `not-found` when there is no such Pass. */
async function readCaptureDetail(db: Queryable, passId: string): Promise<CaptureDetail> {
  const stored = await findPassCapture(db, passId);
  if (!stored) throw new AppError('not-found', `There is no Pass ${passId}`);
  const { runId, block, scenario, userAgent } = stored;
  return { passId, runId, block, scenario, userAgent, outcome: readOutcome(stored, explainNoCaptureOfPass(stored)) };
}

/** Throws `not-found` when there is no such Capture Point in any Round. */
async function readPointCaptureDetail(db: Queryable, captureId: string): Promise<PointCaptureDetail> {
  const stored = await findPointCapture(db, captureId);
  if (!stored) throw new AppError('not-found', `There is no Capture Point ${captureId} in any Round`);
  const { isBroken, outcome, traceRemovedAt, ...detail } = stored;
  return { ...detail, outcome: readOutcome({ outcome, traceRemovedAt }, explainNotStored(isBroken)) };
}

function readOutcome(
  { outcome, traceRemovedAt }: { outcome: CaptureOutcome | null; traceRemovedAt: Date | null },
  absence: string,
): CaptureOutcome {
  if (outcome?.kind === 'captured' && traceRemovedAt !== null) {
    const reason = `The Controller’s retention limit removed it on ${traceRemovedAt.toISOString()} to make room for newer ones; its statistics stay`;
    return { ...outcome, trace: { kind: 'absent', reason } };
  }
  return outcome ?? { kind: 'absent', reason: absence };
}

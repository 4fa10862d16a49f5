import { CaptureDetailSchema, PointCaptureDetailSchema } from '#core/protocol/api/stored-capture.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { json, request } from './request.ts';

/** Whose Capture: that of a Pass, or that of a Capture Point in one Round. */
export interface CaptureOwner {
  kind: 'pass' | 'point';
  id: string;
}

export async function fetchCapture({ kind, id }: CaptureOwner, signal: AbortSignal): Promise<CaptureOutcome> {
  const name = encodeURIComponent(id);
  const detail =
    kind === 'pass'
      ? await request({ path: `/api/passes/${name}/capture`, answer: json(CaptureDetailSchema), signal })
      : await request({ path: `/api/captures/${name}`, answer: json(PointCaptureDetailSchema), signal });
  return detail.outcome;
}

/** Where its packets can be downloaded from. */
export function tracePath({ kind, id }: CaptureOwner): string {
  return `/api/${kind === 'pass' ? 'passes' : 'captures'}/${encodeURIComponent(id)}/trace`;
}

import { CaptureDetailSchema, type CaptureDetail } from '#core/protocol/api/capture.ts';
import { json, request } from './request.ts';

const pathOf = (passId: string) => `/api/passes/${encodeURIComponent(passId)}`;

export function fetchCapture(passId: string, signal: AbortSignal): Promise<CaptureDetail> {
  return request({ path: `${pathOf(passId)}/capture`, answer: json(CaptureDetailSchema), signal });
}

/** Where the packets of a Pass can be downloaded from. */
export const tracePath = (passId: string) => `${pathOf(passId)}/trace`;

import { failureCodeOf, failureCodeOfStatus, type FailureCode } from './failure-code.ts';
import type { NetworkRequest } from './network-request.ts';
import type { Snapshot } from './snapshot.ts';
import { taskMarks } from '../evaluation/pages/page-mark.ts';
import { findMainFrame } from './navigation-start.ts';
import { isGivenUp } from './request-outcome.ts';

/** A base page of more bytes, decompressed or not, is not loaded to its end: `too-large`. Ten times the largest that people read. */
export const maximumDocumentBytes = 64 * 2 ** 20;

export interface DocumentFailure {
  code: FailureCode;
  detail: string;
}

/** What makes a failed Visit of one whose page came: an error status, a body that broke off, has no byte, or has too many. */
export function readDocumentFailure(document: NetworkRequest | null): DocumentFailure | null {
  if (!document) return null;
  const { status, failure, endEpochMs, decodedBytes, receivedBytes } = document;
  const statusCode = status === null ? null : failureCodeOfStatus(status);
  if (statusCode) return { code: statusCode, detail: `HTTP ${status}` };
  if (failure !== null) return { code: failureCodeOf(failure), detail: failure };
  // 0: a service worker answered.
  if (endEpochMs !== null && decodedBytes === 0 && status !== 0)
    return { code: 'empty-response', detail: `HTTP ${status} without content` };
  return describeExcess(Math.max(decodedBytes ?? 0, receivedBytes ?? 0));
}

/** Whether a browser stays on the page that it shows: such an answer has no body. 304 has one where the browser had asked whether its own copy is still right. */
export function isWithoutPage(status: number | null): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** Why a navigation led to no page: by what its last answer said, else by the browser's words. */
export function explainNavigation(errorText: string, status: number | null): DocumentFailure {
  const code = status === null ? null : failureCodeOfStatus(status);
  if (code) return { code, detail: `HTTP ${status}` };
  if (isWithoutPage(status)) return { code: 'empty-response', detail: `HTTP ${status}` };
  // As to the address of another program.
  if (status !== null && status >= 300 && status < 400 && isGivenUp({ failure: errorText }))
    return { code: 'unsupported-content', detail: `HTTP ${status}, to what is no page of the web (${errorText})` };
  return { code: failureCodeOf(errorText), detail: errorText };
}

/** An error status by the page's own entry: the browser's event that says so may be missing. */
export function readShownFailure({ frames }: Pick<Snapshot, 'frames'>): DocumentFailure | null {
  const status = frames.find(({ path }) => path.length === 0)?.navigation?.responseStatus ?? null;
  const code = status === null ? null : failureCodeOfStatus(status);
  return code && { code, detail: `HTTP ${status}` };
}

/** Null for a base page within the limit, and for what is no number. */
export function describeExcess(bytes: number): DocumentFailure | null {
  if (!(bytes > maximumDocumentBytes)) return null;
  return {
    code: 'too-large',
    detail: `The base page has at least ${bytes} bytes; the limit is ${maximumDocumentBytes}`,
  };
}

/**
 * What browsers show by a program of their own, which nobody can look into, and which loads what the address does not name. Null for a type that is shown
 * as a document. https://html.spec.whatwg.org/#loading-a-document
 */
export function explainUnshownContent(mimeType: string | null | undefined): DocumentFailure | null {
  const essence = (mimeType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (essence !== 'application/pdf' && essence !== 'text/pdf') return null;
  return {
    code: 'unsupported-content',
    detail: 'The address gives a PDF, which a browser shows by a viewer of its own, not as a page',
  };
}

/** What makes a failed Visit of one that waited for a mark: the page reported a failure, or did not set it in time. */
export function readTaskFailure(snapshot: Snapshot): DocumentFailure | null {
  const { untilMark } = snapshot;
  if (untilMark === undefined) return null;
  const marks = (findMainFrame(snapshot).userTimings ?? []).filter(({ kind }) => kind === 'mark');
  const failed = marks.find(({ name }) => name === taskMarks.failed);
  if (failed)
    return { code: 'task-failed', detail: String(failed.detail ?? `The page set the mark ${taskMarks.failed}`) };
  if (marks.some(({ name }) => name === untilMark)) return null;
  return { code: 'task-not-ended', detail: `The page did not set the mark "${untilMark}" in time` };
}

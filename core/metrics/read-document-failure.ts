import { failureCodeOf, failureCodeOfStatus } from './failure-code-of.ts';
import type { FailureCode } from './failure-code.ts';
import type { NetworkRequest } from './snapshot.ts';

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

/** Null for a base page within the limit, and for what is no number. */
export function describeExcess(bytes: number): DocumentFailure | null {
  if (!(bytes > maximumDocumentBytes)) return null;
  return {
    code: 'too-large',
    detail: `The base page has at least ${bytes} bytes; the limit is ${maximumDocumentBytes}`,
  };
}

import { findHeader, type HeaderList } from '../../exchange/header-list.ts';
import type { AnswerHead, RequestHead } from '../../exchange/heads.ts';

/** What shows who asks, or for whom the answer is readable. */
const ofIdentity = ['cookie', 'authorization', 'origin'];
/** A browser that sends them has a part, or an older copy. */
const ofCopies = ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range'];

/** Whether what was asked ahead is what the browser asks now, as far as can be seen before the answer. */
export function matchesRequest({ method, headers, hasBody, isUpgrade }: RequestHead, asked: HeaderList): boolean {
  if (method !== 'GET' || hasBody || isUpgrade || ofCopies.some((name) => findHeader(headers, name) !== null)) {
    return false;
  }
  return ofIdentity.every((name) => findHeader(headers, name) === findHeader(asked, name));
}

/** Whether the answer is also that to the browser's request. RFC 9111, 4.1. */
export function matchesVariant({ headers }: AnswerHead, request: RequestHead, asked: HeaderList): boolean {
  const names = (findHeader(headers, 'vary') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  return names.every((name) => name !== '*' && findHeader(request.headers, name) === findHeader(asked, name));
}

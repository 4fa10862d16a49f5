import { findHeader, joinHeader, listPairs, listValues, type HeaderList } from '#core/http1/header-list.ts';
import { allowsLoss } from '../../exchange/allows-loss.ts';
import type { AnswerHead, RequestHead } from '../../exchange/heads.ts';

/** What shows who asks, or for whom the answer is readable. */
const ofIdentity = ['cookie', 'authorization', 'origin'];
/** A browser that sends them has a part, or an older copy. */
const ofCopies = ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range'];

/** Whether what was asked ahead is what the browser asks now, as far as can be seen before the answer. `heldMs`: how long that has been held. */
export function matchesRequest(
  { method, headers, hasBody, isUpgrade }: RequestHead,
  { asked, heldMs }: { asked: HeaderList; heldMs: number },
): boolean {
  if (method !== 'GET' || hasBody || isUpgrade || ofCopies.some((name) => findHeader(headers, name) !== null)) {
    return false;
  }
  const control = readControl(headers);
  if (/\bno-(store|cache)\b/i.test(control) && control !== readControl(asked)) return false;
  // Who takes nothing older than now may ask for a reason: each answer that is held is older.
  if (heldMs >= readMaxAgeMs(control)) return false;
  return ofIdentity.every((name) => joinHeader(headers, name) === joinHeader(asked, name));
}

/** Whether the answer is also that to the browser's request. RFC 9111, 4.1. One that lost detail is only where the request allows it. */
export function matchesVariant({ headers }: AnswerHead, request: RequestHead, asked: HeaderList): boolean {
  const isLossy = findHeader(headers, 'httpep-lossy') !== null;
  if (isLossy && !allowsLoss(request.headers, findHeader(headers, 'content-type') ?? '')) return false;
  const names = listValues(headers, 'vary')
    .map((name) => name.toLowerCase())
    .filter((name) => name !== '');
  // The ground end names `Accept` last for the loss: whether that is allowed was seen.
  const ofLoss = isLossy ? names.lastIndexOf('accept') : -1;
  return names.every(
    (name, index) =>
      index === ofLoss || (name !== '*' && joinHeader(request.headers, name) === joinHeader(asked, name)),
  );
}

/** How long an answer that has just come may be used without asking again, as far as it says: RFC 9111, 4.2. Else `Infinity`. */
export function readFreshMs(headers: HeaderList): number {
  const control = readControl(headers);
  if (/\bno-(store|cache)\b/i.test(control)) return 0;
  const maxAgeMs = readMaxAgeMs(control);
  const expires = findHeader(headers, 'expires');
  const ageMs = 1000 * Math.max(0, Number(findHeader(headers, 'age') ?? 0) || 0);
  if (maxAgeMs !== Infinity || expires === null) return Math.max(0, maxAgeMs - ageMs);
  const sentMs = Date.parse(findHeader(headers, 'date') ?? '');
  // What is no date is past.
  return Math.max(0, Date.parse(expires) - sentMs - ageMs) || 0;
}

/** Whether a request is for the load of a page that these URLs are of. Some browsers do not say, or say only of which web server. */
export function isOfLoad({ headers }: RequestHead, urls: ReadonlySet<string>): boolean {
  const from = findHeader(headers, 'referer');
  return from === null || URL.parse(from)?.pathname === '/' || urls.has(from);
}

/** `Pragma` counts where nothing else is said: RFC 9111, 5.4. */
function readControl(headers: HeaderList): string {
  const isThere = listPairs(headers).some(([name]) => name.toLowerCase() === 'cache-control');
  return joinHeader(headers, isThere ? 'cache-control' : 'pragma') ?? '';
}

function readMaxAgeMs(control: string): number {
  const seconds = /(?:^|[\s,])max-age="?(\d+)/i.exec(control)?.[1];
  return seconds === undefined ? Infinity : 1000 * Number(seconds);
}

import type { CompressedVisit, SentVisit } from './sent-visit.ts';

/** The Visits of a message, each with its part of the bytes that came beside it; null where they do not match. */
export function matchSnapshots(
  visits: readonly SentVisit[],
  attached: Uint8Array<ArrayBuffer>,
): CompressedVisit[] | null {
  let at = 0;
  const matched = visits.map((visit) => {
    const { snapshotBytes } = visit.outcome;
    if (snapshotBytes === null) return { visit, snapshot: null };
    at += snapshotBytes;
    return { visit, snapshot: attached.subarray(at - snapshotBytes, at) };
  });
  return at === attached.length ? matched : null;
}

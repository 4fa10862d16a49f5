import { z } from 'zod';
import { FailureCodeSchema } from '../metrics/failure-code.ts';
import { VisitSchema, type Visit } from './visit.ts';

/** What a Snapshot may have as it was before it was compressed. A page of a hundred requests has 0.05 MB. */
export const mostSnapshotBytes = 64 * 1024 * 1024;

const Bytes = z.number().int().positive().max(mostSnapshotBytes);

/** As `VisitOutcomeSchema`, with the length of its compressed Snapshot, which is sent beside it. */
const SentOutcomeSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), snapshotBytes: Bytes }),
  z.object({
    status: z.literal('failed'),
    code: FailureCodeSchema,
    detail: z.string().max(4096),
    snapshotBytes: Bytes.nullable(),
  }),
]);

/** A Visit as it is kept by its Agent, and sent: its Snapshot is compressed as soon as it is made, and read again only where its values are needed. */
export const SentVisitSchema = VisitSchema.extend({ outcome: SentOutcomeSchema });
export type SentVisit = z.infer<typeof SentVisitSchema>;

/** `snapshot`: as JSON in columns (`toColumns`), compressed by zstd against `snapshotDictionary`, or by gzip; null where nothing was seen. */
export interface CompressedVisit {
  visit: SentVisit;
  snapshot: Uint8Array<ArrayBuffer> | null;
}

/** `snapshot`: that of the Visit. */
export function toSentVisit({ outcome, ...visit }: Visit, snapshot: Uint8Array | null): SentVisit {
  const snapshotBytes = snapshot?.length ?? null;
  if (outcome.status === 'failed') {
    const { status, code, detail } = outcome;
    return { ...visit, outcome: { status, code, detail, snapshotBytes } };
  }
  if (snapshotBytes === null) throw new Error(`The Visit ${visit.id} has no Snapshot`);
  return { ...visit, outcome: { status: outcome.status, snapshotBytes } };
}

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

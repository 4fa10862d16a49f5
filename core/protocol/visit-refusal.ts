import { z } from 'zod';
import { mostSnapshotBytes } from './sent-visit.ts';

/** Why a Visit is never to be stored. */
export const VisitRefusalSchema = z.enum([
  'not-ordered',
  'not-as-ordered',
  'made-already',
  'unreadable',
  'too-large',
  'unstorable',
]);
export type VisitRefusal = z.infer<typeof VisitRefusalSchema>;

const explanations: Record<VisitRefusal, string> = {
  'not-ordered': 'This Controller ordered no such Pass from this Agent',
  'not-as-ordered': 'Its Pass has no Visit with this sequence number, URL and repetition',
  'made-already': 'Its Pass already has another Visit with this sequence number',
  unreadable: 'No metrics can be derived from its Snapshot',
  'too-large': `Its Snapshot has more than ${mostSnapshotBytes / 1024 ** 2} MiB`,
  unstorable: 'The database cannot store it: a value is out of range',
};

export function explainVisitRefusal(refusal: VisitRefusal): string {
  return explanations[refusal];
}

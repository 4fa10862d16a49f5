import { z } from 'zod';

/** Why a Visit is never to be stored. */
export const VisitRefusalSchema = z.enum(['not-ordered', 'not-as-ordered', 'made-already', 'unreadable', 'unstorable']);
export type VisitRefusal = z.infer<typeof VisitRefusalSchema>;

const explanations: Record<VisitRefusal, string> = {
  'not-ordered': 'It belongs to no Pass that this Agent was ordered to make here',
  'not-as-ordered': 'Its Pass has no Visit of this sequence, URL and repetition',
  'made-already': 'Its Pass has another Visit of this sequence already',
  unreadable: 'No metrics can be derived from its Snapshot',
  unstorable: 'The database cannot store it: a value is out of range',
};

export function explainVisitRefusal(refusal: VisitRefusal): string {
  return explanations[refusal];
}

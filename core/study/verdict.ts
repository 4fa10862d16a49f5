/** What a measurement says of a claim. `not-comparable`: one of two Scenarios lacks objects that the other has. `not-measured`: there is no value at all. */
export const studyVerdicts = ['confirmed', 'contradicted', 'not-confirmed', 'not-comparable', 'not-measured'] as const;
export type StudyVerdict = (typeof studyVerdicts)[number];

export const verdictWords: Record<StudyVerdict, string> = {
  confirmed: 'confirmed',
  contradicted: 'contradicted',
  'not-confirmed': 'not confirmed',
  'not-comparable': 'not comparable',
  'not-measured': 'not measured',
};

/** The verdict of a claim that has several parts: it holds only if each does, and one that does not is enough against it. */
export function joinVerdicts(verdicts: readonly StudyVerdict[]): StudyVerdict {
  if (verdicts.includes('contradicted')) return 'contradicted';
  if (verdicts.includes('not-comparable')) return 'not-comparable';
  if (verdicts.length === 0 || verdicts.includes('not-measured')) return 'not-measured';
  return verdicts.includes('not-confirmed') ? 'not-confirmed' : 'confirmed';
}

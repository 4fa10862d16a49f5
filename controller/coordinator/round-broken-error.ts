/** This try of a Round cannot give a result: it is kept, flagged, and the Round is tried again. */
export class RoundBrokenError extends Error {
  override readonly name = 'RoundBrokenError';
}

/** What Agents uploaded, after each commit. */
export interface UploadEvents {
  stored: [arrival: Arrival];
}

export interface Arrival {
  agent: string;
  /** Of each Visit that was acknowledged, its Pass. */
  passIds: readonly string[];
  /** Some Visits are never to be stored. */
  isRefused: boolean;
  /** Another Controller stored them. */
  isElsewhere?: boolean;
}

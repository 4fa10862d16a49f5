import type { Promised } from '../../exchange/heads.ts';

/** Looks for objects to fetch ahead in an answer, as it passes. */
export interface AnswerScan {
  /** Whether the last bytes wait until it is known what the whole names. */
  holdsLast: boolean;
  write(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  /** What was begun, which the other end is to know before it has the bytes that name it. In parts, until null. */
  take(): Promised | null;
  /** The answer broke off, or the page was left. */
  destroy(): void;
}

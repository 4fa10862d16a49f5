import type { Logger } from 'pino';

/** What the demo compares. */
export const demoSubjects = ['http2', 'httpep'] as const;
export type DemoSubject = (typeof demoSubjects)[number];

export interface StageOptions {
  subject: DemoSubject;
  controllerUrl: string;
  token: string;
  chromePath: string;
  homeFolder: string;
  isVerbose: boolean;
  say: (line: string) => void;
  log: Logger;
  signal: AbortSignal;
}

/** Origin and Agents of the demo, with the Evaluation that fits them. */
export interface Stage extends AsyncDisposable {
  evaluationYaml: string;
  /** Aborts, with an AppError, when a part of it is gone for good. */
  failed: AbortSignal;
}

import type { Logger } from 'pino';

export interface StageOptions {
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

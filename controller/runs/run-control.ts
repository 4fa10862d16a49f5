import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import type { SiteCertificate, CertificateRequest } from '#core/protocol/site-certificate.ts';

/** What Agents have reported of a Pass that is under way, before its Visits are uploaded. */
export interface PassProgress {
  visitsMade: number;
  /** Null where only the owner of the Run knows it. */
  lastUrl: string | null;
  lastTotalMs: number | null;
}

/** What the API asks of the run coordinator. */
export interface RunControl {
  /** Stores a Run that starts as soon as it can, and returns its id. Without a seed it gets a random one. `requestedBy`: who answers for what its scripts do. `isTry`: it only tries a URL. */
  requestRun(request: {
    evaluationId: string;
    requestedBy: string;
    seed?: number;
    isTry?: boolean;
    labels?: RunLabels;
    /** Of each Scenario, in place of those that the Evaluation says. */
    rounds?: number;
  }): Promise<string>;
  /** Stores a Run of the same configuration as an earlier one, with labels of its own, though its Evaluation was changed or deleted since, and returns its id. */
  repeatRun(request: { runId: string; requestedBy: string; seed?: number; labels?: RunLabels }): Promise<string>;
  /** Adds Rounds of each Scenario to a Run that has ended; it continues as soon as it can. Throws AppError 'not-found', 'conflict'. */
  addRounds(request: { runId: string; rounds: number; requestedBy: string }): Promise<void>;
  /** Asks for the end of a Run; a Run that has ended stays as it is, and so does one whose added Rounds had not begun. */
  stopRun(runId: string): Promise<void>;
  /** Lets a Run rest after the Round under way, until it is resumed or stopped. */
  pauseRun(runId: string): Promise<void>;
  resumeRun(runId: string): Promise<void>;
  /** Calls `listener` after each change of a Run; returns the function that ends that. */
  onRunChange(listener: (runId: string) => void): () => void;
  /** Null when no Agent has reported anything of this Pass here. */
  passProgress(passId: string): PassProgress | null;
}

/** What the API asks of the hub of Agents. */
export interface AgentPresence {
  /** Whether it is connected to this Controller. */
  isConnected(name: string): boolean;
  /** The Agents that are connected to another Controller on the same database, with its name. */
  listElsewhere(): Promise<ReadonlyMap<string, string>>;
  /** The certificate of a URL, as the host's Agent sees it. Throws an AppError. */
  readCertificate(request: CertificateRequest): Promise<SiteCertificate>;
  /** Ends the line of every Agent that came with this token, for good. */
  dropToken(tokenId: string): void;
}

/** Where an Agent of a Run is, as far as it is known. */
export interface AgentPlace {
  agent: string;
  /** The kernel that it runs on, containers included; null where it cannot know, such as an extension. */
  machine: string | null;
  /** Where its line comes from; null on loopback, and before its first line. */
  address: string | null;
  /** The host of the origin that was started beside it; null where there is none. */
  originHost: string | null;
}

/** An open Run, with all that it may share with another. */
export interface QueuedRun {
  id: string;
  name: string;
  isUnderWay: boolean;
  /** Whether it could begin if it had not to wait for others: its Agents were connected once. */
  isReady: boolean;
  /** Null where that was not kept. */
  places: readonly AgentPlace[] | null;
  /** As `listShared` gives it. */
  shared: readonly string[];
}

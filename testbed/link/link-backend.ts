import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { CapacityUse } from './model/capacity-count.ts';

/** What has happened in one direction since the link was opened. */
export interface DirectionStatistics {
  arrivedPackets: number;
  arrivedBytes: number;
  deliveredPackets: number;
  deliveredBytes: number;
  /** Found no room in the queue, or were refused by the kernel when they were to leave. */
  droppedPackets: number;
  /** Lost at random, after they were sent. */
  lostPackets: number;
  /** Lost by this machine, as no profile says: they came faster than they could be read, which no other count has, or the kernel refused them. */
  missedPackets: number;
  /** What waits now. */
  queuedPackets: number;
  queuedBytes: number;
  /** Of what is assigned on demand, since `beginRound`: null where nothing is. */
  capacity: CapacityUse | null;
}

export interface LinkStatistics {
  forward: DirectionStatistics;
  return: DirectionStatistics;
}

export type MissedPackets = Record<keyof LinkStatistics, Pick<DirectionStatistics, 'missedPackets'>>;

/** In `satellite`, the interfaces that lead to the link's ends: the one nearer to the origins, and the one nearer to the users. */
export interface LinkInterfaces {
  ground: string;
  remote: string;
}

export type LinkBackendKind = 'netem' | 'userspace';

/** What makes a link of the two interfaces in `satellite`. Every backend gives the same meaning to every part of a profile. */
export interface LinkBackend extends AsyncDisposable {
  readonly kind: LinkBackendKind;
  /** Aborts, with an AppError, when the link works no more. */
  readonly failed: AbortSignal;
  /** Makes it this link from now on. What is on it stays on it. Throws `testbed-refused`, unchanged, for what it cannot be. */
  apply(profile: LinkProfile): Promise<void>;
  /** From now on, a trace begins again, and capacity that is assigned on demand is counted. */
  beginRound(): Promise<void>;
  statistics(): Promise<LinkStatistics>;
}

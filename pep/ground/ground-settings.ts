import type { BlockList } from 'node:net';
import type { Time } from '#core/clock/time.ts';
import type { Display } from '#core/page-objects/display.ts';
import type { Compression } from './compress/compression.ts';
import type { SchedulerName } from '../scheduler/scheduler.ts';

export interface GroundSettings {
  key: Buffer;
  scheduler: SchedulerName;
  /** Weight of each class of users. */
  weights: Readonly<Record<string, number>>;
  /** The class of a user; empty for none. */
  classOf: (user: string) => string;
  /** Of the link to the remote end, in kb/s. `auto`: estimated by what arrives. Null: no limit. */
  rateKbps: number | 'auto' | null;
  /** The part of the rate that is used. */
  paceRatio: number;
  /** Whether addresses that are not public may be reached, or which. */
  allowPrivate: boolean | BlockList;
  /** Base64 SHA-256 of keys of web servers that no known authority vouches for. */
  trustedKeys: readonly string[];
  /** The usual display of the browsers that pages are fetched ahead for; null: nothing is fetched ahead. */
  bundling: Display | null;
  compression: Compression;
  /** Of this process unless given. */
  time?: Time;
}

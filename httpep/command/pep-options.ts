import type { Display } from '#core/page-objects/display.ts';
import type { Coding } from '../exchange/body-coder.ts';
import type { ImageFormat } from '../ground/compress/compression.ts';
import type { SchedulerName } from '../scheduler/scheduler.ts';
import type { HostPort } from './read-host-port.ts';

export const pepEnds = ['ground', 'remote'] as const;
export type PepEnd = (typeof pepEnds)[number];

export interface PepOptions {
  listen: HostPort;
  /** Path of a file. */
  key: string;
  ground?: HostPort;
  connections?: number;
  /** Addresses and networks. */
  clients?: string[];
  /** Path of a file. */
  credentials?: string;
  rate?: number | 'auto';
  paceRatio?: number;
  scheduler?: SchedulerName;
  /** Path of a file. */
  classes?: string;
  /** True: all; else addresses and networks. */
  allowPrivate?: true | string[];
  /** Of public addresses. */
  connectPorts?: 'all' | Set<number>;
  trustedKeys?: string[];
  /** Path of a file. */
  tlsKey?: string;
  /** Of `--no-bundling`. */
  bundling: boolean;
  viewport?: Display;
  text?: Coding | 'none';
  images?: ImageFormat | 'none';
  imageQuality?: number;
  /** Path of a file. */
  counters?: string;
  metrics?: HostPort;
  json?: true;
}

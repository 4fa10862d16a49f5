import { BlockList, isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { AppError } from '#core/app-error.ts';
import type { Display } from '#core/page-objects/display.ts';
import type { Coding } from '../exchange/body-coder.ts';
import type { ImageFormat } from '../ground/compress/compression.ts';
import type { SchedulerName } from '../scheduler/scheduler.ts';

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

interface HostPort {
  host: string;
  port: number;
}

/** `HOST:PORT` from the command line, an IPv6 address in brackets. Port 0: any that is free. */
export function readHostPort(text: string): HostPort {
  const parts = /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text);
  const host = parts?.[1] ?? parts?.[2];
  const port = Number(parts?.[3]);
  if (host === undefined || port > 65_535) {
    throw new InvalidArgumentError('It must be HOST:PORT, such as 127.0.0.1:3128, or [::1]:3128 for IPv6.');
  }
  return { host, port };
}

/** A list of addresses and networks, such as 192.168.1.0/24. Throws `invalid-input` that names the wrong one. */
export function readNetworks(networks: readonly string[], option: string): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const [address = '', length] = text.trim().split('/');
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const prefix = length === undefined ? bits : Number(length);
    if (version === 0 || (length !== undefined && !/^\d{1,3}$/.test(length)) || prefix > bits) {
      throw new AppError('invalid-input', `${option}: ${text} is no address. Write 192.168.1.7 or 192.168.1.0/24`);
    }
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

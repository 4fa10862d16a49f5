import { Option } from 'commander';
import { readSize } from './read-size.ts';

export interface TraceLimitOptions {
  /** In bytes. */
  traceLimit?: number;
}

/** How much the traces of all Runs may take on the disk. */
export function traceLimitOption(): Option {
  return new Option('--trace-limit <SIZE>', 'keep so much of packet traces, such as 500MB or 20GB, and remove the oldest beyond; their statistics stay (default: 5GB)').argParser(readSize);
}

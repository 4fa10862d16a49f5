import { Option } from 'commander';
import { readSize } from './option-parsers.ts';

export interface TraceLimitOptions {
  /** In bytes. */
  traceLimit?: number;
}

/** How much the traces of all Runs may take on the disk. */
export function traceLimitOption(): Option {
  return new Option(
    '--trace-limit <SIZE>',
    'most disk space for packet traces, such as 500MB or 20GB. Beyond it the oldest traces are removed; their statistics stay (default: 5GB)',
  ).argParser(readSize);
}

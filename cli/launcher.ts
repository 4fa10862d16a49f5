import path from 'node:path';
import { packageRoot } from './installation.ts';

/** The words that start HTTP-AE as this process was started. */
export const launcher: readonly string[] = [
  process.execPath,
  ...process.execArgv,
  path.join(packageRoot, 'cli', 'main.ts'),
];

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { packageRoot } from './package-root.ts';

/** The version in package.json. */
export function readVersion(): string {
  const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

import { realpath } from 'node:fs/promises';
import { shortHash } from './copy-binaries.ts';

/** What a server calls itself, by which it is known which data it has. */
export async function nameServer(dataFolder: string): Promise<string> {
  return `http-ae-${shortHash(await realpath(dataFolder))}`;
}

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { tryLock } from '../home/try-lock.ts';

/** A folder that is this process's own until disposed of. */
export interface ClaimedFolder extends Disposable {
  path: string;
}

/**
 * Claims `demo` in the home folder, or `demo-2`, `demo-3`, … while others hold those: a demo has its own database, so that
 * it neither waits for the Runs of others nor has its Run taken by another Controller. SQLite's lock on a file ends with its
 * process, however that ends.
 */
export function claimFolder(homeFolder: string): ClaimedFolder {
  for (let number = 1; ; number++) {
    const folder = path.join(homeFolder, number === 1 ? 'demo' : `demo-${number}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = tryLock(path.join(folder, 'lock.sqlite'));
    if (lock) return { path: folder, [Symbol.dispose]: () => lock.close() };
  }
}

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { tryLock } from '../home/try-lock.ts';

/** A folder that is this process's own until disposed of. */
export interface ClaimedFolder extends Disposable {
  path: string;
  /** No other one is claimed. */
  isFirst: boolean;
}

/**
 * Claims `demo` in the home folder, or `demo-2`, `demo-3`, … while others hold those: what a demo keeps to itself, such as its origin, and its database
 * where it has its own. SQLite's lock on a file ends with its
 * process, however that ends.
 */
export function claimFolder(homeFolder: string): ClaimedFolder {
  for (let number = 1; ; number++) {
    const folder = path.join(homeFolder, number === 1 ? 'demo' : `demo-${number}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = tryLock(path.join(folder, 'lock.sqlite'));
    if (lock) return { path: folder, isFirst: number === 1, [Symbol.dispose]: () => lock.close() };
  }
}

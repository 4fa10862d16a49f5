import { execFile } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

export interface JumpingClock {
  /** For a program whose system clock it is, and that of all that it starts. */
  environment: Record<string, string>;
  /** From now on it is so far ahead of the machine's. */
  setLead: (leadMs: number) => void;
}

/** A system clock that a test may set, where that of the machine is left alone. Its files are in the folder. Linux only. */
export async function makeJumpingClock(folder: string): Promise<JumpingClock> {
  const library = path.join(folder, 'jumping-clock.so');
  const leadFile = path.join(folder, 'lead');
  const source = path.join(import.meta.dirname, 'jumping-clock.c');
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', library, source, '-ldl']);
  writeFileSync(leadFile, Buffer.alloc(8));
  return {
    environment: { LD_PRELOAD: library, HTTP_AE_TEST_CLOCK: leadFile },
    setLead: (leadMs) => {
      const lead = Buffer.alloc(8);
      lead.writeBigInt64LE(BigInt(leadMs) * 1_000_000n);
      // In place: programs have it in their memory.
      const file = openSync(leadFile, 'r+');
      writeSync(file, lead, 0, lead.length, 0);
      closeSync(file);
    },
  };
}

import path from 'node:path';
import { readProcFile } from './read-proc-file.ts';

/** For how long in all, in µs, some program waited for each; null where the kernel does not say. */
export interface Pressures {
  cpu: number | null;
  memory: number | null;
  io: number | null;
}

/** Pressure stall information: https://docs.kernel.org/accounting/psi.html */
export function readPressure(procFolder: string): Pressures {
  const read = (resource: string) => readSome(path.join(procFolder, 'pressure', resource));
  return { cpu: read('cpu'), memory: read('memory'), io: read('io') };
}

function readSome(file: string): number | null {
  const total = /^some .* total=(\d+)$/m.exec(readProcFile(file) ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

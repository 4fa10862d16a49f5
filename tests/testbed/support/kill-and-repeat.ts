import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const main = path.resolve(import.meta.dirname, '../../../cli/main.ts');
const UpSchema = z.object({ namespaces: z.record(z.string(), z.string()) });

/** A testbed in a process of its own, that stands. */
export interface TestbedProcess {
  pid: number;
  /** Its processes and itself. */
  family: number[];
  /** Resolves when the process itself is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts `testbed up` and waits until it stands. */
export async function startTestbedProcess(profile: string, environment: NodeJS.ProcessEnv): Promise<TestbedProcess> {
  const child = spawn(process.execPath, [main, 'testbed', 'up', profile, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  });
  const closed = once(child, 'close');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  UpSchema.parse(JSON.parse(line));
  const pid = child.pid!;
  return {
    pid,
    family: [pid, ...listDescendants(pid)],
    end: async (signal) => {
      child.kill(signal);
      await closed;
    },
  };
}

export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** The management interfaces of testbeds on this machine. */
export function listManagementInterfaces(): string[] {
  return readdirSync('/sys/class/net').filter((name) => /^hae\d+-/.test(name));
}

export function listDescendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...listDescendants(child)]);
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BenchPlace } from './bench-parts.ts';
import { readTreeCpuMs } from './read-tree-cpu.ts';

export interface ServedController extends Pick<BenchPlace, 'databaseUrl' | 'folder'> {
  /** 0 chooses a free one. */
  port: number;
  webUiFolder: string | null;
  /** Of its work with the database; as many as `up` takes unless given. */
  mostConnections?: number;
}

/** How long the event loop of a Controller did nothing else. */
export interface Silence {
  longestMs: number;
  p99Ms: number;
}

export interface ControllerProcess extends AsyncDisposable {
  url: string;
  processId: number;
  readCpuMs(): number;
  /** Its memory now, and the most that it had. */
  readMemory(): { nowBytes: number; mostBytes: number };
  /** Since the last call. */
  readSilence(): Promise<Silence>;
}

/** A Controller in a process of its own, which ends with this one. It may be killed or stopped by its id. */
export async function startControllerProcess(
  { databaseUrl, folder }: Pick<BenchPlace, 'databaseUrl' | 'folder'>,
  {
    port = 0,
    webUiFolder = null,
    mostConnections,
    execArgv = [],
  }: Partial<ServedController> & { execArgv?: string[] } = {},
): Promise<ControllerProcess> {
  const served: ServedController = {
    databaseUrl,
    folder,
    port,
    webUiFolder,
    ...(mostConnections !== undefined && { mostConnections }),
  };
  const child = fork(path.join(import.meta.dirname, 'serve-controller.ts'), [JSON.stringify(served)], {
    execArgv: ['--disable-warning=ExperimentalWarning', ...execArgv],
  });
  const exited = once(child, 'exit');
  const [started] = (await Promise.race([once(child, 'message'), exited])) as [{ url: string } | number | null];
  if (typeof started !== 'object' || started === null) throw new Error('The Controller ended as it started');
  const processId = child.pid!;
  return {
    url: started.url,
    processId,
    readCpuMs: () => readTreeCpuMs(processId),
    readMemory: () => {
      const status = readFileSync(`/proc/${processId}/status`, 'utf8');
      const bytesOf = (key: string) => 1024 * Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
      return { nowBytes: bytesOf('VmRSS'), mostBytes: bytesOf('VmHWM') };
    },
    readSilence: async () => {
      const answered = once(child, 'message');
      child.send('silence');
      const [silence] = (await answered) as [Silence];
      return silence;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

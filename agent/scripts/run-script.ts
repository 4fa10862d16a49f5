import { spawn } from 'node:child_process';
import { environmentWithoutToken } from '../program-environment.ts';

const lastOutputMs = 200;

export interface ScriptResult {
  /** Null when a signal ended it or it could not start. */
  exitCode: number | null;
  isTimedOut: boolean;
  durationMs: number;
  output: string;
}

/**
 * Runs a shell script with `sh -e`, given on standard input, in a process group of its own, so that everything it started in the
 * foreground ends with it at the time limit. What it puts into the background on purpose (a proxy, a daemon) must detach itself with `setsid`.
 */
export async function runScript(
  script: string,
  options: { timeoutMs: number; environment: Record<string, string>; signal: AbortSignal },
): Promise<ScriptResult> {
  const startMs = performance.now();
  const output = new OutputTail();
  const child = spawn('sh', ['-e'], {
    detached: true,
    env: { ...environmentWithoutToken(), ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const killGroup = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    killGroup();
  }, options.timeoutMs);
  options.signal.addEventListener('abort', killGroup);

  child.stdout.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.add(chunk));
  child.on('error', (error) => {
    output.add(Buffer.from(`${error.message}\n`));
    resolve(null);
  });
  child.on('close', (code) => resolve(code));
  // A daemon that the script left behind may hold the output open without end: what is printed later than this is not waited for.
  child.on('exit', (code) => {
    clearTimeout(timer);
    setTimeout(resolve, lastOutputMs, code);
  });
  child.stdin.on('error', (error) => output.add(Buffer.from(`${error.message}\n`)));
  child.stdin.end(script);

  try {
    const exitCode = await promise;
    return { exitCode, isTimedOut, durationMs: performance.now() - startMs, output: output.text() };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', killGroup);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

const halfBytes = 32 * 1024;

/** Keeps the first and the last 32 KiB of what a script printed, and says how much is left out between them. */
export class OutputTail {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #leftOutBytes = 0;

  add(chunk: Buffer): void {
    const room = halfBytes - this.#head.length;
    this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = Buffer.concat([this.#tail, chunk.subarray(room)]);
    const excess = Math.max(0, rest.length - halfBytes);
    this.#leftOutBytes += excess;
    this.#tail = rest.subarray(excess);
  }

  text(): string {
    const gap = this.#leftOutBytes > 0 ? `\n[${this.#leftOutBytes} bytes left out]\n` : '';
    return this.#head.toString() + gap + this.#tail.toString();
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadyWhen } from '#core/evaluation/scenarios/scenario-process.ts';
import { environmentWithoutToken } from '../program-environment.ts';
import { connect } from 'node:net';
import { OutputTail } from '../scripts/run-script.ts';

const endWithParent = ['setpriv', '--pdeathsig', 'KILL', '--'];
const pidNamespace = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--'];

/**
 * The first process of a PID namespace is sent no signal that it does not handle: this shell is the first, the command its child. The shell itself
 * prints nothing. It writes to file descriptor 3 when the command can be sent signals, and ends with 128 and the signal's number where one ended the command.
 */
const firstProcess = [
  'sh',
  '-c',
  'exec 4>&2 2>/dev/null; sh -c "$1" 2>&4 3>&- 4>&- & echo >&3; exec 3>&-; wait "$!"',
  'sh',
] as const;

const answerWithinMs = 5_000;

const probePauseMs = 50;
const endWithinMs = 5_000;
const endKnownWithinMs = 300;

export interface ProcessOrder {
  command: string;
  environment: Record<string, string>;
  readyWhen: ReadyWhen | null;
  /** It must be ready within this time. */
  timeoutMs: number;
}

interface ProcessEvents {
  /** It ended without an order to. */
  lost: [];
}

/** One process of a Scenario, with all that it starts. */
export class ScenarioProcessRunner extends EventEmitter<ProcessEvents> {
  readonly #order: ProcessOrder;
  readonly #child: ChildProcess;
  readonly #gone = new AbortController();
  /** From then on, signals reach the command. */
  readonly #begun = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #printed = Promise.withResolvers<void>();
  #output = new OutputTail();
  #lastPrinted = '';
  #ending: Promise<void> | null = null;
  #end: string | null = null;

  /** `containment`: of `findContainment`. */
  constructor(order: ProcessOrder, containment: readonly string[]) {
    super();
    this.#order = order;
    const [program, ...args] = [...containment, ...firstProcess, order.command];
    this.#child = spawn(program, args, {
      detached: true,
      env: { ...environmentWithoutToken(), ...order.environment },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const begun = this.#child.stdio[3] as Readable;
    begun.once('data', () => this.#begun.resolve());
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', (chunk: Buffer) => this.#handleOutput(chunk));
    this.#child.on('error', (error) => this.#handleEnd(`cannot be started: ${error.message}`));
    this.#child.on('exit', (code, signal) => this.#handleEnd(describeEnd(code, signal)));
  }

  /** Resolves when it is ready, with null, or with the reason why it never will be. */
  async untilReady(): Promise<string | null> {
    const { readyWhen, timeoutMs } = this.#order;
    if (!readyWhen) return this.#end;
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([limit, this.#gone.signal]);
    const problem =
      'line' in readyWhen ? await this.#untilPrinted(readyWhen.line, signal) : await probeAgain(readyWhen, signal);
    return this.#end ?? (problem === null ? null : `was not ready within ${timeoutMs} ms: ${problem}`);
  }

  /** Why it does not run or is not ready; null when it is. */
  async check(): Promise<string | null> {
    const { readyWhen } = this.#order;
    const problem =
      this.#end === null && readyWhen && !('line' in readyWhen)
        ? await probeReadiness(readyWhen, this.#gone.signal)
        : null;
    // A port closes before the process that had it is known to have ended, which says more.
    if (problem !== null) await Promise.race([this.#over.promise, sleep(endKnownWithinMs)]);
    return this.#end ?? problem;
  }

  /** What it printed since this was called last. */
  takeOutput(): string {
    const text = this.#output.text();
    this.#output = new OutputTail();
    return text;
  }

  /** Asks it and all it started to end, once, and ends them after some seconds. Resolves when they are gone. */
  end(): Promise<void> {
    // A second request would end some programs at once: HTTPEP without its last counters.
    return (this.#ending ??= this.#endAll());
  }

  async #endAll(): Promise<void> {
    await Promise.race([this.#begun.promise, this.#over.promise]);
    this.#signalGroup('SIGTERM');
    const overdue = setTimeout(() => this.#signalGroup('SIGKILL'), endWithinMs);
    await this.#over.promise;
    clearTimeout(overdue);
    // Without a PID namespace, what it started may still be there.
    this.#signalGroup('SIGKILL');
    this.#child.stdout!.destroy();
    this.#child.stderr!.destroy();
    this.#child.stdio[3]!.destroy();
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  #handleOutput(chunk: Buffer): void {
    this.#output.add(chunk);
    const { readyWhen } = this.#order;
    if (!readyWhen || !('line' in readyWhen)) return;
    const printed = this.#lastPrinted + chunk.toString('latin1');
    const line = Buffer.from(readyWhen.line).toString('latin1');
    if (printed.includes(line)) this.#printed.resolve();
    this.#lastPrinted = printed.slice(-line.length);
  }

  #handleEnd(how: string): void {
    if (this.#end !== null) return;
    this.#end = how;
    this.#gone.abort();
    this.#over.resolve();
    if (this.#ending === null) this.emit('lost');
  }

  async #untilPrinted(line: string, signal: AbortSignal): Promise<string | null> {
    const aborted = Promise.withResolvers<string>();
    const abort = () => aborted.resolve(`it has not printed "${line}"`);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await Promise.race([this.#printed.promise.then(() => null), aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

async function probeAgain(
  readyWhen: Exclude<ReadyWhen, { line: string }>,
  signal: AbortSignal,
): Promise<string | null> {
  let lastProblem: string | null = null;
  for (;;) {
    const problem = await probeReadiness(readyWhen, signal);
    if (problem === null) return null;
    // A probe that was broken off says less than the one before.
    if (signal.aborted) return lastProblem ?? problem;
    lastProblem = problem;
    await sleep(probePauseMs, undefined, { signal }).catch(() => undefined);
  }
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  const name = signal ?? Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
  return name === undefined ? `ended with status ${code}` : `was ended by ${name}`;
}

/** Why nothing is ready at a port or URL; null when it is. */
async function probeReadiness(
  readyWhen: Exclude<ReadyWhen, { line: string }>,
  signal: AbortSignal,
): Promise<string | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  return 'port' in readyWhen ? await probePort(readyWhen, limit) : await probeUrl(readyWhen.http, limit);
}

async function probePort({ port, address }: { port: number; address: string }, signal: AbortSignal) {
  const socket = connect({ host: address, port });
  try {
    await once(socket, 'connect', { signal });
    return null;
  } catch (error) {
    return `port ${port} of ${address} accepts no connection (${(error as Error).message})`;
  } finally {
    socket.destroy();
  }
}

async function probeUrl(url: string, signal: AbortSignal) {
  try {
    const response = await fetch(url, { signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.status < 500 ? null : `${url} answers with status ${response.status}`;
  } catch (error) {
    const { cause, message } = error as Error;
    return `${url} does not answer (${cause instanceof Error ? cause.message : message})`;
  }
}

/**
 * The words before a command that let all it starts end with it, daemons too, and it with this process, even after `kill -9`. They need Linux and root
 * (or a user namespace). Elsewhere there are none: a command's process group is ended, and a process that leaves the group is not found.
 */
export async function findContainment(): Promise<readonly string[]> {
  const words = [...endWithParent, ...pidNamespace];
  const [program, ...args] = [...words, 'true'];
  const child = spawn(program, args, { stdio: 'ignore' });
  const exitCode = await once(child, 'exit').then(
    ([code]: unknown[]) => code,
    () => null, // no such program
  );
  return exitCode === 0 ? words : [];
}

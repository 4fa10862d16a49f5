import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { AppError } from '#core/app-error.ts';

/** A tool of the system that ended with an error, and what it said. */
export class ToolError extends AppError {
  readonly stderr: string;
  /** Whether somebody killed it. */
  readonly wasKilled: boolean;

  constructor({ command, reason, stderr }: { command: readonly string[]; reason: string; stderr: string }) {
    super('testbed-failed', `\`${command.join(' ')}\` failed with ${reason}${stderr ? `: ${stderr}` : ''}`);
    this.name = 'ToolError';
    this.stderr = stderr;
    this.wasKilled = reason === 'SIGKILL';
  }
}

/** Runs a program to its end, without input, and returns its standard output. Throws ToolError. */
export function runTool(...command: [string, ...string[]]): Promise<string> {
  return runToolWith('', ...command);
}

/** Runs a tool that removes something. What is gone already, or was never there, needs no removing. */
export async function removeUnlessGone(gone: RegExp, command: [string, ...string[]]): Promise<void> {
  try {
    await runTool(...command);
  } catch (error) {
    // `ip -n` is in the namespace for a moment: another one that removes it ends it there, and does what is left.
    if (!(error instanceof ToolError) || !(error.wasKilled || gone.test(error.stderr))) throw error;
  }
}

/** Runs a program with input, which others cannot read as they can a command line. */
export async function runToolWith(input: string, ...command: [string, ...string[]]): Promise<string> {
  const [program, ...args] = command;
  // Always in English: what some tools say is read.
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, LC_ALL: 'C' } });
  child.stdin.on('error', () => undefined); // one that ends before it has read all fails by its exit status
  child.stdin.end(input);
  try {
    const [[exitCode, signalName], stdout, stderr] = await Promise.all([
      once(child, 'close') as Promise<[number | null, string | null]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    if (exitCode === 0) return stdout;
    throw new ToolError({
      command,
      reason: signalName ?? `exit status ${exitCode}`,
      stderr: (stderr || stdout).trim(),
    });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError({ command, reason: (error as Error).message, stderr: '' });
  }
}

/** The words before a command that let it run in a place (`TestbedNetwork.enter`); none for where this process is. */
export type Enter = readonly string[];

/** Runs a program in a place to its end, and returns its standard output. Throws ToolError. */
export function runIn(enter: Enter, ...command: [string, ...string[]]): Promise<string> {
  return runTool(...([...enter, ...command] as [string, ...string[]]));
}

/** What cannot be had where a tool fails. Throws `testbed-refused` then, with what `explain` makes of what the tool said. */
export async function orRefuse<T>(work: Promise<T>, explain: (problem: string) => string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new AppError('testbed-refused', explain(error.message), { cause: error });
  }
}

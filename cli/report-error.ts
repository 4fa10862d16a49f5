import { CommanderError } from 'commander';
import { AppError, listErrors } from '#core/app-error.ts';
import { showPlainly } from './plain-text.ts';
import { InterruptedError } from './watch-interrupts.ts';

/** What the exit status of every command means; shown at the end of `--help`. A signal's is 128 and its number, as in a shell. */
export const exitStatus = { done: 0, failed: 1, misused: 2, assertionFailed: 3, assertionUndecided: 4 } as const;

export const exitStatusHelp = `
Exit status: 0 done; 1 failed (an incomplete Run, a failed test, an error);
2 wrong command line or input file; 130 stopped by Ctrl-C. With --assert: 3 failed;
4 undecided, with --fail-undecided.`;

const inputFaults: ReadonlySet<string> = new Set(['invalid-input', 'too-large', 'not-a-trace', 'damaged-bundle']);

const notWritable = 'make it writable for you, or set HTTP_AE_HOME to a folder that is';
const noRoom = 'make room on its disk';
/** What to do where the system refuses a file: no fault of the program, whose stack would help nobody. */
const fixOfCode: ReadonlyMap<string | undefined, string> = new Map([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].map((code) => [code, notWritable] as const),
  ...['ENOSPC', 'EDQUOT'].map((code) => [code, noRoom] as const),
]);

interface Reporting {
  isVerbose: boolean;
  write: (text: string) => void;
}

/** Prints what went wrong, with a stack only if requested, and returns the exit status: that of what went wrong first. */
export function reportError(error: unknown, reporting: Reporting): number {
  const [status] = listErrors(error).map((each) => reportOne(each, reporting));
  return status!;
}

function reportOne(error: unknown, { isVerbose, write }: Reporting): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.misused; // commander has printed it already
  if (error instanceof InterruptedError) {
    write(`Stopped by ${error.signalName}\n`);
    return error.exitStatus;
  }
  if (error instanceof AppError && !isVerbose) {
    write(`${error.message.split('\n').map(showPlainly).join('\n')}\n`);
  } else if (isOfFile(error) && fixOfCode.has(error.code) && !isVerbose) {
    write(`${showPlainly(error.message)}: ${fixOfCode.get(error.code)!}\n`);
  } else {
    write(`${error instanceof Error ? describeWithCauses(error) : String(error)}\n`);
  }
  return error instanceof AppError && inputFaults.has(error.code) ? exitStatus.misused : exitStatus.failed;
}

function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'path' in error && 'syscall' in error;
}

function describeWithCauses(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\nCaused by ${describeWithCauses(error.cause)}` : stack;
}

import { CommanderError } from 'commander';
import { AppError, listErrors } from '#core/app-error.ts';
import { showPlainly } from './plain-text.ts';
import { findInterrupt } from './watch-interrupts.ts';

/** What the exit status of every command means; shown at the end of `--help`. A signal's is 128 and its number, as in a shell. */
export const exitStatus = { done: 0, failed: 1, misused: 2, assertionFailed: 3, assertionUndecided: 4 } as const;

export const exitStatusHelp = `
Exit status: 0 done; 1 failed (an incomplete Run, a failed test, an error);
2 wrong command line or input file; 130 stopped by Ctrl-C. With --assert: 3 failed;
4 undecided, with --fail-undecided.`;

const inputFaults: ReadonlySet<string> = new Set(['invalid-input', 'too-large', 'not-a-trace', 'damaged-bundle']);

const fullCodes = ['ENOSPC', 'EDQUOT'];
const notWritable = 'make it writable for you, or set HTTP_AE_HOME to a folder that is';
const noRoom = 'make room on the disk';
/** What to do where the system refuses a file: no fault of the program, whose stack would help nobody. */
const fixOfCode: ReadonlyMap<string | undefined, string> = new Map([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].map((code) => [code, notWritable] as const),
  ...fullCodes.map((code) => [code, noRoom] as const),
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
  const interrupt = findInterrupt(error);
  if (interrupt) {
    write(`${interrupt.message}\n`);
    return interrupt.exitStatus;
  }
  if (error instanceof AppError && !isVerbose) {
    write(`${error.message.split('\n').map(showPlainly).join('\n')}\n`);
  } else if (isOfFile(error) && findFix(error) && !isVerbose) {
    write(`${showPlainly(error.message)}: ${findFix(error)!}\n`);
  } else {
    write(`${error instanceof Error ? describeWithCauses(error) : String(error)}\n`);
  }
  return error instanceof AppError && inputFaults.has(error.code) ? exitStatus.misused : exitStatus.failed;
}

/** Below /proc a folder that cannot be made is ENOENT. */
function findFix({ code, syscall }: NodeJS.ErrnoException): string | undefined {
  return code === 'ENOENT' && syscall === 'mkdir' ? notWritable : fixOfCode.get(code);
}

/** A file that is open has no path. */
function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { code = '', path, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && (path !== undefined || fullCodes.includes(code));
}

function describeWithCauses(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\nCaused by ${describeWithCauses(error.cause)}` : stack;
}

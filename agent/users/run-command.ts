import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError } from '#core/app-error.ts';

/** Debian's package of each program that a user needs. */
const packages = {
  iptables: 'iptables',
  ip6tables: 'iptables',
  'iptables-save': 'iptables',
  'ip6tables-save': 'iptables',
  getent: 'libc-bin',
} as const;
type Program = keyof typeof packages;

const execute = promisify(execFile);
/** Where tools for administrators are, on machines on which they are not in everybody's PATH. */
const environment = { ...process.env, LC_ALL: 'C', PATH: `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` };

/** A program that ended with an error. `exitCode` is null when a signal ended it. */
export class CommandError extends AppError {
  readonly exitCode: number | null;

  constructor(command: readonly string[], { exitCode, stderr }: { exitCode: number | null; stderr: string }) {
    super(
      'user-failed',
      `\`${command.join(' ')}\` failed with ${exitCode === null ? 'a signal' : `exit status ${exitCode}`}${stderr ? `: ${stderr.trim()}` : ''}`,
    );
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Runs a program to its end and returns its standard output. Throws CommandError, and `user-refused` when the program is not there. */
export async function runCommand(program: Program, ...args: string[]): Promise<string> {
  try {
    return (await execute(program, args, { env: environment })).stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: string | number; stderr?: string };
    if (code === 'ENOENT') throw missing(program);
    throw new CommandError([program, ...args], {
      exitCode: typeof code === 'number' ? code : null,
      stderr: stderr ?? '',
    });
  }
}

function missing(program: Program): AppError {
  return new AppError(
    'user-refused',
    `\`${program}\` is needed, which this host lacks: install ${packages[program]} (Debian, Ubuntu: sudo apt-get install ${packages[program]})`,
  );
}

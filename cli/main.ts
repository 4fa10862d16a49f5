import { AppError, listErrors } from '#core/app-error.ts';
import { createProgram } from './create-program.ts';
import { reportError } from './report-error.ts';
import { findInterrupt } from './watch-interrupts.ts';

endWithOutput();
const program = createProgram();
try {
  refuseReplacedArguments();
  await program.parseAsync();
} catch (error) {
  const status = reportError(error, {
    isVerbose: process.argv.includes('--verbose') || Boolean(process.env.DEBUG),
    write: (text) => process.stderr.write(text),
  });
  // What was stopped is put back by now; a download that is broken off would continue.
  if (findInterrupt(listErrors(error)[0])) process.exit(status);
  process.exitCode = status;
}

/** Node puts U+FFFD in place of bytes that are not UTF-8, as of a label typed in a terminal of Latin-1. */
function refuseReplacedArguments(): void {
  const index = process.argv.findIndex((argument) => argument.includes('\uFFFD'));
  if (index === -1) return;
  throw new AppError(
    'invalid-input',
    `Word ${index - 1} of the command is not UTF-8: ${process.argv[index]!}. Set the terminal to UTF-8`,
  );
}

/**
 * When the output can be written no more, as its reader is gone (`head`) or its disk is full: ends as by an interrupt, so that what was started is put back. What is said beside it is
 * lost while its disk is full, and the work continues.
 */
function endWithOutput(): void {
  let isOver = false;
  const end = () => {
    // A second signal would end the process at once.
    if (!isOver) process.kill(process.pid, 'SIGTERM');
    isOver = true;
  };
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE' && !isOver) process.stderr.write(`The output cannot be written: ${message}\n`);
    end();
  });
  process.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') end();
  });
}

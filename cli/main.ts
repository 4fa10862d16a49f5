import { AppError, listErrors } from '#core/app-error.ts';
import { createProgram } from './create-program.ts';
import { reportError } from './report-error.ts';
import { InterruptedError } from './watch-interrupts.ts';

endWithReader();
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
  if (listErrors(error)[0] instanceof InterruptedError) process.exit(status);
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

/** When the reader of the output goes away, as `head` does: ends as by an interrupt, so that what was started is put back. */
function endWithReader(): void {
  let isGone = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    // A second signal would end the process at once.
    if (!isGone) process.kill(process.pid, 'SIGTERM');
    isGone = true;
  });
}

import { createProgram } from './create-program.ts';
import { reportError } from './report-error.ts';
import { InterruptedError } from './watch-interrupts.ts';

const program = createProgram();
try {
  await program.parseAsync();
} catch (error) {
  const status = reportError(error, {
    isVerbose: process.argv.includes('--verbose') || Boolean(process.env.DEBUG),
    write: (text) => process.stderr.write(text),
  });
  // What was stopped is put back by now; a download that is broken off would continue.
  if (error instanceof InterruptedError) process.exit(status);
  process.exitCode = status;
}

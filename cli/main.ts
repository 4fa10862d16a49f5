import { createProgram } from './create-program.ts';
import { endWithReader } from './end-with-reader.ts';
import { reportError } from './report-error.ts';
import { InterruptedError } from './watch-interrupts.ts';

endWithReader();
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

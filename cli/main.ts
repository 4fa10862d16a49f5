import { createProgram } from './create-program.ts';
import { reportError } from './report-error.ts';

const program = createProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportError(error, { isVerbose: process.argv.includes('--verbose') || Boolean(process.env.DEBUG), write: (text) => process.stderr.write(text) });
}

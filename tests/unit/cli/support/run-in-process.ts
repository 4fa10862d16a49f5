import { createProgram } from '#cli/create-program.ts';
import { reportError } from '#cli/report-error.ts';
import type { CliResult } from '#tests/support/run-cli.ts';

/** What `http-ae ARGS` prints and returns, where it ends before its work begins. A process of its own takes some hundred times longer. */
export async function runInProcess(args: readonly string[]): Promise<CliResult> {
  const result: CliResult = { exitCode: 0, stdout: '', stderr: '' };
  const writeErr = (text: string) => void (result.stderr += text);
  const program = createProgram();
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    command.configureOutput({ writeOut: (text) => void (result.stdout += text), writeErr });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    result.exitCode = reportError(error, { isVerbose: false, write: writeErr });
  }
  return result;
}

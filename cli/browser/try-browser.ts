import { existsSync } from 'node:fs';
import { runProgram } from '../run-program.ts';
import type { BrowserKind } from './browser-kinds.ts';

export type BrowserAttempt = { starts: true } | { starts: false; exists: boolean; reason: string };

const answerWithinMs = 20_000;

/** Whether this really is a browser that starts here: files of a broken or foreign one lie around on many machines. */
export async function tryBrowser(
  file: string,
  { kind, signal }: { kind: BrowserKind; signal: AbortSignal },
): Promise<BrowserAttempt> {
  if (!existsSync(file)) return { starts: false, exists: false, reason: 'no such file' };
  const limit = AbortSignal.timeout(answerWithinMs);
  try {
    const { exitCode, output } = await runProgram(file, ['--version'], { signal: AbortSignal.any([signal, limit]) });
    if (exitCode === 0 && kind.version.test(output)) return { starts: true };
    return {
      starts: false,
      exists: true,
      reason: `--version: ${output.trim().slice(0, 300) || `exit status ${exitCode}`}`,
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason = limit.aborted ? `no answer within ${answerWithinMs / 1000} s` : (error as Error).message;
    return { starts: false, exists: true, reason };
  }
}

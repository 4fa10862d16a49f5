import type { ScriptExecution } from '#core/protocol/api/run.ts';
import { showPlainly } from '../show-plainly.ts';

const maximumLines = 40;
const maximumLineCharacters = 500;

/** What a set-up or tear-down script that failed has printed, its end where it is long; null for one that did not fail. */
export function describeScriptFailure({ phase, host, exitCode, isTimedOut, output }: ScriptExecution): string | null {
  if (exitCode === 0) return null;
  const how = isTimedOut ? 'took too long' : exitCode === null ? 'did not run' : `ended with status ${exitCode}`;
  const lines = output.trimEnd().split('\n');
  const shown = lines.slice(-maximumLines).map((line) => `  | ${showPlainly(line.slice(0, maximumLineCharacters))}`);
  const start = `The ${phase} script on host "${host}" ${how}`;
  if (output.trim() === '') return showPlainly(`${start} and printed nothing`);
  return [showPlainly(`${start}; ${lines.length > maximumLines ? `the last ${maximumLines} lines of what` : 'what'} it printed:`), ...shown].join('\n');
}

import type { ScriptExecution } from '#core/protocol/api/run.ts';

const maximumLines = 40;
const maximumLineCharacters = 500;

/** In lines, what a set-up or tear-down script that failed has printed, the end where it is long; none for one that did not fail. */
export function describeScriptFailure(execution: ScriptExecution): string[] {
  const { phase, output } = execution;
  const start = phase === 'process' ? describeLoss(execution) : describeStatus(execution);
  if (start === null) return [];
  if (output.trim() === '') return [`${start} and printed nothing`];
  const lines = output.trimEnd().split('\n');
  const what = lines.length > maximumLines ? `the last ${maximumLines} lines of its output` : 'its output';
  return [
    `${start}; ${what}:`,
    ...lines.slice(-maximumLines).map((line) => `  | ${line.slice(0, maximumLineCharacters)}`),
  ];
}

function describeLoss({ name, host, problem }: ScriptExecution): string | null {
  return problem === undefined ? null : `The process "${name}" on host "${host}" ${problem}`;
}

function describeStatus({ phase, host, exitCode, isTimedOut }: ScriptExecution): string | null {
  if (exitCode === 0) return null;
  const how = isTimedOut ? 'timed out' : exitCode === null ? 'did not run' : `ended with status ${exitCode}`;
  return `The ${phase} script on host "${host}" ${how}`;
}

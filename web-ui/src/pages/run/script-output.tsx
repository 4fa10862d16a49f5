import { Code } from '@mantine/core';
import type { ScriptExecution } from '#core/protocol/api/run.ts';
import { StateDot } from '../../components/state-dot.tsx';
import { formatMs } from '../../format/format-ms.ts';

/** What a script or process of a Scenario did; one that failed is open from the start. */
export function ScriptOutput({ execution }: { execution: ScriptExecution }) {
  const { phase, name, host, durationMs, output, problem } = execution;
  const isProcess = phase === 'process';
  const isGood = isProcess ? problem === undefined : execution.exitCode === 0 && !execution.isTimedOut;
  const end = isProcess ? (problem ?? `ready after ${formatMs(durationMs)}`) : describeEnd(execution);
  return (
    <details open={!isGood}>
      <summary>
        {isProcess ? `process ${name}` : `${phase} script`} on <strong>{host}</strong>
        {!isProcess && `, ${formatMs(durationMs)}`} <StateDot state={isGood ? 'good' : 'bad'} label={end} />
      </summary>
      <Code block mt={6} mah={280} style={{ overflow: 'auto' }}>
        {output || '(no output)'}
      </Code>
    </details>
  );
}

function describeEnd({ isTimedOut, exitCode }: ScriptExecution): string {
  if (isTimedOut) return 'timed out';
  return exitCode === null ? 'ended by a signal, or not started' : `exit status ${exitCode}`;
}

import { Code } from '@mantine/core';
import type { ScriptExecution } from '#core/protocol/api/run.ts';
import { StateDot } from '../../components/state-dot.tsx';
import { formatMs } from '../../format/format-ms.ts';

/** What a script of a Scenario did; one that failed is open from the start. */
export function ScriptOutput({ execution }: { execution: ScriptExecution }) {
  const { phase, host, exitCode, isTimedOut, durationMs, output } = execution;
  const isGood = exitCode === 0 && !isTimedOut;
  const end = isTimedOut
    ? 'timed out'
    : exitCode === null
      ? 'ended by a signal, or not started'
      : `exit status ${exitCode}`;
  return (
    <details open={!isGood}>
      <summary>
        {phase} script on <strong>{host}</strong>, {formatMs(durationMs)}{' '}
        <StateDot state={isGood ? 'good' : 'bad'} label={end} />
      </summary>
      <Code block mt={6} mah={280} style={{ overflow: 'auto' }}>
        {output || '(no output)'}
      </Code>
    </details>
  );
}

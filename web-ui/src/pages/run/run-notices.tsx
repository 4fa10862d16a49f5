import { Alert, Anchor, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { isOpen, runsQuery } from '../../api/queries.ts';
import { hasFailedThroughout } from '../../components/describe-run-state.ts';
import { describeFailures } from './describe-failures.ts';
import { StopButton } from './stop-button.tsx';

/** What keeps a Run from going on, and what to do about it. */
export function RunNotices({ run, isLineLost }: { run: RunDetail; isLineLost: boolean }) {
  const { missingAgents, scatteredAgents } = run;
  return (
    <>
      {isLineLost && (
        <Alert color="yellow" variant="light" role="status" title="Controller gone, trying again">
          What is shown is the last that was told. Agents go on with their Pass and keep its Visits; the Run goes on when the controller is back.
        </Alert>
      )}
      {run.problem && (
        <Alert color="red" variant="light" role="alert" title={run.state === 'failed' ? 'The Run failed' : 'The Run has a problem'}>
          {run.problem}
        </Alert>
      )}
      {run.state === 'pending' && run.pausedAt === null && <TurnNotice runId={run.id} />}
      {run.pausedAt !== null && (
        <Alert color="yellow" variant="light" role="status" title="Paused">
          {isRoundUnderWay(run) ? 'The Round under way goes on to its end; no other begins' : 'No Round begins'} until the Run is resumed. Other Runs wait for it meanwhile.
        </Alert>
      )}
      {hasFailedThroughout(run) && <FailureNotice run={run} />}
      {run.diskProblem !== null && (
        <Alert color="yellow" variant="light" role="status" title="Waiting for room on a disk">
          {run.diskProblem}. The Run continues by itself, and no attempt is used up.
        </Alert>
      )}
      {isOpen(run.state) && missingAgents.length > 0 && (
        <Alert color="yellow" variant="light" role="status" title={`Waiting for ${missingAgents.length === 1 ? 'an Agent' : `${missingAgents.length} Agents`}: ${missingAgents.join(', ')}`}>
          The Run goes on as soon as {missingAgents.length === 1 ? 'it is' : 'they are'} connected.{' '}
          <Anchor component={Link} to={`/hosts?${new URLSearchParams({ add: missingAgents[0]! }).toString()}`} c="inherit" inherit underline="always">
            Add {missingAgents[0]}
          </Anchor>{' '}
          gives the command that connects it, if it was not added before; else start its Agent there.
        </Alert>
      )}
      {scatteredAgents.length > 0 && (
        <Alert color="yellow" variant="light" role="status" title="Waiting: its Agents are connected to different Controllers">
          A Run needs all of its Agents at one Controller. {scatteredAgents.map(({ agent, controller }) => `${agent} is connected to ${controller}`).join(', ')}. Start the Agents with
          the same <code>--controller</code> address.
        </Alert>
      )}
    </>
  );
}

/** Nothing stops such a Run by itself: to measure what fails may be just what is wanted. */
function FailureNotice({ run }: { run: RunDetail }) {
  const hasListed = run.rounds.some(({ state, warmUp }) => state === 'completed' && !warmUp);
  const codes = describeFailures(run.rounds.flatMap(({ passes }) => passes));
  return (
    <Alert color="yellow" variant="light" role="status" title={isOpen(run.state) ? 'Every Visit so far failed' : 'Every Visit failed'}>
      <Stack gap="xs" align="start">
        <span>
          {codes !== null && `${codes}. `}
          {hasListed && (
            <>
              <Anchor component={Link} to={`/runs/${run.id}/visits`} c="inherit" inherit underline="always">
                The Visits
              </Anchor>{' '}
              say more.{' '}
            </>
          )}
          {isOpen(run.state) && 'Unless you expect it, stop the Run and mend its Evaluation: '}
          <em>Try one</em>, beside the URLs, loads one of them once.
        </span>
        {isOpen(run.state) && <StopButton runId={run.id} isStopping={run.state === 'stopping'} label="Stop the Run" />}
      </Stack>
    </Alert>
  );
}

/** One Run at a time measures: two would disturb each other. */
function TurnNotice({ runId }: { runId: string }) {
  const { data: runs = [] } = useQuery(runsQuery);
  const before = runs.filter(({ id, state }) => isOpen(state) && Number(id) < Number(runId)).toSorted((one, other) => Number(one.id) - Number(other.id));
  if (before.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="status" title="Not its turn yet">
      One Run measures at a time. It begins when{' '}
      {before.map(({ id, evaluationName }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Anchor component={Link} to={`/runs/${id}`} c="inherit" inherit underline="always">
            Run {id}
          </Anchor>{' '}
          ({evaluationName})
        </span>
      ))}{' '}
      {before.length === 1 ? 'has' : 'have'} ended.
    </Alert>
  );
}

const isRoundUnderWay = ({ rounds }: RunDetail) => rounds.some(({ state }) => state !== 'completed' && state !== 'broken');

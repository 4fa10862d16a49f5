import { Alert, Anchor, List, Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { describeMeeting } from '#core/protocol/meeting.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { runQuery } from '../../api/queries.ts';
import { hasFailedThroughout } from '../../components/run/run-state-label.tsx';
import { formatTime } from '../../format/format-times.ts';
import { describeFailures } from './describe-failures.ts';
import { useMutation } from '@tanstack/react-query';
import { NeedsRole } from '../../access/needs-role.tsx';
import { stopRun } from '../../api/run-requests.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';

/** What keeps a Run from continuing, and what to do about it. */
export function RunNotices({ run, isLineLost }: { run: RunDetail; isLineLost: boolean }) {
  const { missingAgents } = run;
  return (
    <>
      {isLineLost && (
        <Alert color="yellow" variant="light" role="status" title="Controller not reachable, trying again">
          This page shows the last known state. Agents finish their Pass and keep its Visits. The Run continues when the
          Controller is back.
        </Alert>
      )}
      {run.problem && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={run.state === 'failed' ? 'The Run failed' : 'The Run has a problem'}
        >
          {run.problem}
        </Alert>
      )}
      {run.state === 'pending' && run.pausedAt === null && <TurnNotice waitsFor={run.waitsFor} />}
      {run.pausedAt !== null && (
        <Alert color="yellow" variant="light" role="status" title="Paused">
          {isRoundUnderWay(run) ? 'The current Round finishes. No other Round starts' : 'No Round starts'} until you
          resume the Run. Runs that share something with it wait too.
        </Alert>
      )}
      <DeletedNotice run={run} />
      {hasFailedThroughout(run) && <FailureNotice run={run} />}
      {run.diskProblem !== null && (
        <Alert color="yellow" variant="light" role="status" title="Waiting for storage">
          {run.diskProblem}. The Run then continues automatically. No attempt is used up.
        </Alert>
      )}
      {isOpen(run.state) && missingAgents.length > 0 && (
        <Alert
          color="yellow"
          variant="light"
          role="status"
          title={`Waiting for ${missingAgents.length === 1 ? 'an Agent' : `${missingAgents.length} Agents`}: ${missingAgents.join(', ')}`}
        >
          The Run continues when {missingAgents.length === 1 ? 'it is' : 'they are'} connected. If the host is new, open{' '}
          <Anchor
            component={Link}
            to={`/hosts?${new URLSearchParams({ add: missingAgents[0]! }).toString()}`}
            c="inherit"
            inherit
            underline="always"
          >
            Add {missingAgents[0]}
          </Anchor>{' '}
          for the command that connects it. Otherwise start its Agent there.
        </Alert>
      )}
    </>
  );
}

/** What the retention setting deleted. */
function DeletedNotice({ run: { snapshotsDeletedAt, visitsDeletedAt } }: { run: RunDetail }) {
  if (visitsDeletedAt !== null) {
    return (
      <Alert color="gray" variant="light" title={`Visits were deleted on ${formatTime(visitsDeletedAt).slice(0, 10)}`}>
        The retention setting keeps them no longer. The Comparison has the means and reductions that are kept.
      </Alert>
    );
  }
  if (snapshotsDeletedAt === null) return null;
  return (
    <Alert
      color="gray"
      variant="light"
      title={`Snapshots were deleted on ${formatTime(snapshotsDeletedAt).slice(0, 10)}`}
    >
      The retention setting keeps them no longer. The Comparison is complete. Visits of that time have no requests and
      no HAR.
    </Alert>
  );
}

/** Nothing stops such a Run automatically, as an Evaluation may measure failures on purpose. */
function FailureNotice({ run }: { run: RunDetail }) {
  const hasListed = run.rounds.some(({ state, warmUp }) => state === 'completed' && !warmUp);
  const codes = describeFailures(run.rounds.map(({ totals }) => totals));
  return (
    <Alert
      color="yellow"
      variant="light"
      role="status"
      title={isOpen(run.state) ? 'Every Visit so far failed' : 'Every Visit failed'}
    >
      <Stack gap="xs" align="start">
        <span>
          {codes !== null && `${codes}. `}
          {hasListed && (
            <>
              <Anchor component={Link} to={`/runs/${run.id}/visits`} c="inherit" inherit underline="always">
                The Visits
              </Anchor>{' '}
              show the details.{' '}
            </>
          )}
          {isOpen(run.state) && 'If you do not expect this, stop the Run and fix its Evaluation. '}
          To load one URL once, press <em>Try one</em> next to the URLs.
        </span>
        {isOpen(run.state) && <StopButton runId={run.id} isStopping={run.state === 'stopping'} label="Stop the Run" />}
      </Stack>
    </Alert>
  );
}

/** Two Runs that share a host or an origin would disturb each other. */
function TurnNotice({ waitsFor }: Pick<RunDetail, 'waitsFor'>) {
  if (waitsFor.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="status" title="Waiting for other Runs">
      <List size="sm" withPadding={false} listStyleType="none">
        {waitsFor.map(({ runId, evaluationName, isPaused, ...meeting }) => (
          <List.Item key={runId}>
            <Anchor component={Link} to={`/runs/${runId}`} c="inherit" inherit underline="always">
              Run {runId}
            </Anchor>{' '}
            ({evaluationName}){isPaused && ', which is paused'}: {describeMeeting(meeting)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const isRoundUnderWay = ({ rounds }: RunDetail) =>
  rounds.some(({ state }) => state !== 'completed' && state !== 'broken');

export function StopButton({
  runId,
  isStopping,
  label = 'Stop',
}: {
  runId: string;
  isStopping: boolean;
  label?: string;
}) {
  const stopping = useMutation({ mutationFn: () => stopRun(runId), onSuccess: useRefresh(runQuery(runId).queryKey) });
  return (
    <NeedsRole role="evaluator">
      <ConfirmButton
        variant="default"
        title="Stop this Run?"
        consequence="The current Round is discarded and tear-down scripts run. Completed Rounds stay and can be compared. A stopped Run cannot continue."
        loading={isStopping || stopping.isPending}
        onConfirm={() => stopping.mutate()}
      >
        {label}
      </ConfirmButton>
    </NeedsRole>
  );
}

import { Anchor, Button, Skeleton, Progress, Stack, Paper } from '@mantine/core';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams, useNavigate } from 'react-router';
import { listLoadedSites } from '#core/evaluation/pages/site-page.ts';
import { formatLabels } from '#core/protocol/api/run-labels.ts';
import { measuringMs } from '#core/protocol/api/run-summary.ts';
import { estimateTimeLeftMs, type RunDetail } from '#core/protocol/api/run.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import { annotateRun, tagsQuery } from '../../api/annotation-requests.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { runQuery, comparisonQuery } from '../../api/queries.ts';
import { AnnotationSection } from '../../components/annotation/annotation-section.tsx';
import { NextSteps } from '../../components/run/next-steps.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RunStateLabel, describeRunState } from '../../components/run/run-state-label.tsx';
import { Section } from '../../components/section.tsx';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { styleScenarios, type ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { formatNumber } from '../../format/format-numbers.ts';
import { NotifyButton, useEndNotification } from './end-notification.tsx';
import { ReplaysOfRun } from './replays-of-run.tsx';
import { RoundDetails } from './round-details.tsx';
import { RoundGrid } from './round-grid.tsx';
import { currentSlot, fillSlots } from './round-slots.ts';
import { RunIntervals } from './run-intervals.tsx';
import { RunNotices, StopButton } from './run-notices.tsx';
import { useRunEvents } from './use-run-events.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { pauseRun, resumeRun } from '../../api/run-requests.ts';
import { Findings } from '../../components/reduction/findings.tsx';
import { VisitsLink } from '../../components/run/visits-link.tsx';
import { notifications } from '@mantine/notifications';
import { deleteRun } from '../../api/deletion-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { LostData } from '../../components/run/lost-data.tsx';
import { Facts } from '../../components/facts.tsx';
import { useNow } from '../../components/time-ago.tsx';
import { formatDuration } from '../../format/format-times.ts';

/** A Run and its progress. */
export function RunPage() {
  const { runId = '' } = useParams();
  const query = useQuery(runQuery(runId));
  return (
    <QueryContent query={query} what="The Run" parent={{ to: '/runs', label: 'Runs' }}>
      {(run) => <RunContent run={run} key={run.id} />}
    </QueryContent>
  );
}

function RunContent({ run }: { run: RunDetail }) {
  const line = useRunEvents(run.id, isOpen(run.state));
  useEndNotification(run);
  const queryClient = useQueryClient();
  const [chosenIndex, setChosenIndex] = useState<number | null>(null);
  const slots = fillSlots(run);
  const current = currentSlot(slots);
  const shown = slots.find((slot) => slot.index === chosenIndex) ?? current;
  const styles = styleScenarios(markTraits(run.evaluation.scenarios));
  const hasResult = run.roundsCompleted > 0;

  return (
    <>
      <PageHeader
        title={run.evaluationName}
        documentTitle={`Run ${run.id}, ${describeRunState(run).label}: ${run.evaluationName}`}
        parent={{ to: '/runs', label: 'Runs' }}
        beside={<RunStateLabel run={run} waitsFor={run.state === 'running' ? findWait(run) : null} />}
        description={
          <>
            <Term of="run">Run</Term> {run.id} of{' '}
            <Anchor component={Link} to={`/evaluations/${run.evaluationId}`} inherit underline="always">
              this Evaluation
            </Anchor>
            , <Term of="seed">seed</Term> {run.seed}
            {Object.keys(run.labels).length > 0 && `, labels ${formatLabels(run.labels)}`}
            {run.changedFromRun !== null && (
              <>
                , changed from{' '}
                <Anchor component={Link} to={`/runs/${run.changedFromRun}`} inherit underline="always">
                  Run {run.changedFromRun}
                </Anchor>
              </>
            )}
          </>
        }
        actions={
          <>
            {isOpen(run.state) && <NotifyButton />}
            {(run.state === 'pending' || run.state === 'running') && <PauseButton run={run} />}
            {isOpen(run.state) && <StopButton runId={run.id} isStopping={run.state === 'stopping'} />}
            {!isOpen(run.state) && <DeleteRunButton runId={run.id} />}
            {run.visits > 0 && run.visitsDeletedAt === null && (
              <Button component={Link} to={`/runs/${run.id}/visits`} variant="default">
                Visits
              </Button>
            )}
            {hasResult && (
              <Button
                component={Link}
                to={`/runs/${run.id}/comparison`}
                variant={isOpen(run.state) ? 'default' : 'filled'}
              >
                Comparison
              </Button>
            )}
          </>
        }
      />
      <AnnotationSection
        annotation={run}
        labels={run.labels}
        store={async (annotation) => {
          const { tags, note, labels } = await annotateRun(run.id, annotation);
          queryClient.setQueryData(runQuery(run.id).queryKey, (shown) => shown && { ...shown, tags, note, labels });
          await Promise.all([
            queryClient.invalidateQueries({ queryKey: ['runs', 'pages'] }),
            queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey }),
            queryClient.invalidateQueries({ queryKey: ['runs', run.id, 'method'] }),
            queryClient.invalidateQueries({ queryKey: ['evaluations', run.evaluationId, 'trend'] }),
          ]);
        }}
      />
      <RunNotices run={run} isLineLost={isOpen(run.state) && line === 'lost'} />
      {!isOpen(run.state) && hasResult && run.visitsDeletedAt === null && (
        <RunFindings runId={run.id} styles={styles} />
      )}
      {!isOpen(run.state) && (
        <NextSteps
          runId={run.id}
          canAdd={hasResult && run.visitsDeletedAt === null && (run.state === 'completed' || run.added.length > 0)}
          changedFromRun={hasResult ? run.changedFromRun : null}
        />
      )}
      <RunProgress run={run} />
      {!isOpen(run.state) && run.visitsDeletedAt === null && listLoadedSites(run.evaluation.urlLists).length > 0 && (
        <ReplaysOfRun runId={run.id} styles={styles} />
      )}
      {isOpen(run.state) && <RunIntervals run={run} styles={styles} />}
      <Section title={<Term of="round">Rounds</Term>}>
        <RoundGrid
          slots={slots}
          scenarios={run.evaluation.scenarios}
          styles={styles}
          shownIndex={shown?.index ?? null}
          onChoose={setChosenIndex}
        />
      </Section>
      {shown && (
        <RoundDetails
          runId={run.id}
          slot={shown}
          roundCount={slots.length}
          styles={styles}
          scripts={run.scripts}
          onFollow={shown !== current && isOpen(run.state) ? () => setChosenIndex(null) : null}
        />
      )}
    </>
  );
}

function findWait({ diskProblem, missingAgents }: RunDetail): 'host' | 'storage' | null {
  if (diskProblem !== null) return 'storage';
  return missingAgents.length > 0 ? 'host' : null;
}

/** Pauses a Run between two Rounds, and resumes it. */
function PauseButton({ run }: { run: Pick<RunSummary, 'id' | 'pausedAt'> }) {
  const queryClient = useQueryClient();
  const isPaused = run.pausedAt !== null;
  const changing = useMutation({
    mutationFn: () => (isPaused ? resumeRun(run.id) : pauseRun(run.id)),
    onSuccess: () => queryClient.invalidateQueries({ ...runQuery(run.id), exact: true }),
  });
  return (
    <NeedsRole role="evaluator">
      <Button variant={isPaused ? 'filled' : 'default'} loading={changing.isPending} onClick={() => changing.mutate()}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </NeedsRole>
  );
}

/** What came out of a Run that has ended, in words. */
function RunFindings({ runId, styles }: { runId: string; styles: Map<string, ScenarioStyle> }) {
  const query = useQuery(comparisonQuery(runId));
  return (
    <QueryContent query={query} what="The Comparison" skeleton={<Skeleton height={72} />}>
      {(comparison) => (
        <Paper bg="var(--surface-raised)" radius="md" p="lg">
          <Findings
            comparison={comparison}
            styles={styles}
            linkOf={({ about }) =>
              (about === 'unsettled' || about === 'failed') && (
                <VisitsLink filter={{ runId, status: about }}>The {about} Visits</VisitsLink>
              )
            }
          />
        </Paper>
      )}
    </QueryContent>
  );
}

/** Deletes an ended Run for good. */
function DeleteRunButton({ runId }: { runId: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteRun(runId),
    onSuccess: async () => {
      notifications.show({ title: 'Deleted', message: `Run ${runId} was deleted.` });
      await navigate('/runs');
      queryClient.removeQueries({ queryKey: ['runs', runId] });
      await queryClient.invalidateQueries({ queryKey: ['runs'] });
    },
  });
  return (
    <NeedsRole role="evaluator">
      <ConfirmButton
        color="gray"
        c="dimmed"
        fw={400}
        title={`Delete Run ${runId}?`}
        consequence={<LostData what="runs" id={runId} />}
        loading={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      >
        Delete
      </ConfirmButton>
    </NeedsRole>
  );
}

/** How far a Run is, in one bar and a few figures. */
function RunProgress({ run }: { run: RunDetail }) {
  const elapsedMs = measuringMs(run, useNow(1000));

  return (
    <Stack gap="sm">
      <Progress
        value={(100 * run.roundsCompleted) / run.roundsPlanned}
        size="sm"
        color={isOpen(run.state) ? 'iris' : 'gray'}
        aria-label={`${run.roundsCompleted} of ${run.roundsPlanned} Rounds completed`}
      />
      <Facts
        facts={[
          {
            label: <Term of="round">Rounds</Term>,
            value: `${formatNumber(run.roundsCompleted)} of ${formatNumber(run.roundsPlanned)}`,
          },
          { label: <Term of="visit">Visits</Term>, value: formatNumber(run.visits) },
          {
            label: <Term of="failedVisit">Failed</Term>,
            value: formatNumber(run.failedVisits),
            isAlarming: run.failedVisits > 0,
          },
          {
            label: run.endedAt === null ? 'Running for' : 'Duration',
            value: elapsedMs === null ? 'not started' : formatDuration(elapsedMs),
          },
          ...(isOpen(run.state) ? [{ label: 'Time left', value: describeTimeLeft(run, elapsedMs) }] : []),
        ]}
      />
    </Stack>
  );
}

function describeTimeLeft(run: RunDetail, elapsedMs: number | null): string {
  const leftMs = elapsedMs === null ? null : estimateTimeLeftMs(run, elapsedMs);
  return leftMs === null ? 'known after one Round' : `about ${formatDuration(leftMs)}`;
}

import { Anchor, Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { formatLabels } from '#core/protocol/api/run-labels.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { annotateRun, tagsQuery } from '../../api/annotation-requests.ts';
import { isOpen, runQuery } from '../../api/queries.ts';
import { AnnotationSection } from '../../components/annotation/annotation-section.tsx';
import { describeRunState } from '../../components/run/describe-run-state.ts';
import { NextSteps } from '../../components/run/next-steps.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RunStateLabel } from '../../components/run/run-state-label.tsx';
import { Section } from '../../components/section.tsx';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { DeleteRunButton } from './delete-run-button.tsx';
import { NotifyButton } from './notify-button.tsx';
import { PauseButton } from './pause-button.tsx';
import { RoundDetails } from './round-details.tsx';
import { RoundGrid } from './round-grid.tsx';
import { currentSlot, fillSlots } from './round-slots.ts';
import { RunFindings } from './run-findings.tsx';
import { RunIntervals } from './run-intervals.tsx';
import { RunNotices } from './run-notices.tsx';
import { RunProgress } from './run-progress.tsx';
import { StopButton } from './stop-button.tsx';
import { useEndNotification } from './use-end-notification.ts';
import { useRunEvents } from './use-run-events.ts';

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
  const styles = styleScenarios(run.evaluation.scenarios);
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
        store={async (annotation) => {
          const { tags, note } = await annotateRun(run.id, annotation);
          queryClient.setQueryData(runQuery(run.id).queryKey, (shown) => shown && { ...shown, tags, note });
          await Promise.all([
            queryClient.invalidateQueries({ queryKey: ['runs', 'pages'] }),
            queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey }),
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

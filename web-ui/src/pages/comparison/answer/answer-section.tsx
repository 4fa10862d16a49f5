import { Paper, Stack, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listChecks } from '#core/comparison/checks/list-checks.ts';
import { recommendNext } from '#core/comparison/checks/recommend-next.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { Remark } from '#core/comparison/remarks/remark.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { methodQuery, runsQuery, wireQuery } from '../../../api/queries.ts';
import { Findings } from '../../../components/reduction/findings.tsx';
import { useIsAlone } from '../../../components/report-place.ts';
import { NextSteps } from '../../../components/run/next-steps.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { ShareButton } from '../share/share-button.tsx';
import { AnswerFacts, PlaceLink } from './answer-facts.tsx';
import { WhatDiffers } from './what-differs.tsx';
import { TrustChecks } from './trust-checks.tsx';

/** What no check speaks of. */
const stated: readonly Remark['about'][] = ['added', 'lossy', 'ended-tls'];

interface AnswerSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** The finding, whether to trust it, and what to do next. */
export function AnswerSection({ comparison, styles }: AnswerSectionProps) {
  const { runId, runState, noCapture } = comparison;
  const isAlone = useIsAlone();
  const method = useQuery(methodQuery(runId)).data ?? null;
  const wire = useQuery({ ...wireQuery(runId), enabled: noCapture === null }).data ?? null;
  const checks = useMemo(() => listChecks({ comparison, method, wire }), [comparison, method, wire]);
  // Without the method, some checks are not made yet.
  const next = method === null ? null : recommendNext(comparison, checks);
  const changedFromRun =
    useQuery({ ...runsQuery, enabled: !isAlone }).data?.find(({ id }) => id === runId)?.changedFromRun ?? null;
  return (
    <Paper component="section" bg="var(--surface-raised)" radius="md" p="md" aria-labelledby="answer">
      <VisuallyHidden component="h2" id="answer">
        Answer
      </VisuallyHidden>
      <Stack gap="sm">
        <Findings
          comparison={{
            ...comparison,
            remarks: comparison.remarks.filter(({ about }) => stated.includes(about)),
          }}
          styles={styles}
          linkOf={({ about }) => (
            <PlaceLink place={about === 'added' ? 'method' : 'scenarios'}>
              {about === 'added' ? 'Method' : 'Scenarios'}
            </PlaceLink>
          )}
        />
        <WhatDiffers conditions={comparison.conditions} />
        <TrustChecks checks={checks} beside={<AnswerFacts comparison={comparison} />} />
        {!isAlone && !isOpen(runState) && (
          <NextSteps
            runId={runId}
            canAdd={runState === 'completed' || comparison.remarks.some(({ about }) => about === 'added')}
            next={method === null ? 'pending' : next}
            share={<ShareButton runId={runId} isNext={next?.step === 'share'} />}
            changedFromRun={changedFromRun}
          />
        )}
      </Stack>
    </Paper>
  );
}

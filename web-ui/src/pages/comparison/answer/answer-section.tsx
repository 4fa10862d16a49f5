import { Paper, Stack, VisuallyHidden, Badge, Button, Collapse, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { Check } from '#core/comparison/checks/check.ts';
import { listChecks, countChecks } from '#core/comparison/checks/list-checks.ts';
import { recommendNext } from '#core/comparison/checks/recommend-next.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { Remark } from '#core/comparison/remarks/remark.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { methodQuery, runsQuery, wireQuery } from '../../../api/queries.ts';
import { Findings } from '../../../components/reduction/findings.tsx';
import { useIsAlone } from '../../../components/report-place.ts';
import { NextSteps } from '../../../components/run/next-steps.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { ValuesInText } from '../../../components/values-in-text.tsx';
import { ShareButton } from '../share-button.tsx';
import { AnswerFacts, PlaceLink } from './answer-facts.tsx';
import classes from './answer-section.module.css';
import { WhatDiffers } from './what-differs.tsx';

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

const marks = { passed: '✓', failed: '✕', unknown: '?' } as const;
const words = { passed: 'passed', failed: 'failed', unknown: 'not known' } as const;

/** How many checks passed, which of those that failed touch the reduction, and the whole list on request. */
export function TrustChecks({ checks, beside }: { checks: readonly Check[]; beside: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const { passed, of } = countChecks(checks);
  const failed = checks.filter(({ state }) => state === 'failed');
  const touching = failed.filter(({ touchesReduction }) => touchesReduction);
  return (
    <Stack gap="xs">
      <Group gap="4px 12px" align="center">
        <Button
          size="compact-sm"
          variant="default"
          radius="xl"
          aria-expanded={isOpen}
          onClick={toggle}
          leftSection={
            <span aria-hidden="true" className={classes.mark} data-state={touching.length > 0 ? 'failed' : 'passed'}>
              {touching.length > 0 ? '!' : '✓'}
            </span>
          }
        >
          {passed} of {of} checks passed
        </Button>
        <Text size="sm" c="dimmed">
          {summarise(failed.length, touching.length)}
        </Text>
        {beside}
      </Group>
      {touching.length > 0 && !isOpen && <CheckList label="Checks that touch the reduction" checks={touching} />}
      <Collapse expanded={isOpen} transitionDuration={0}>
        <CheckList label="Checks" checks={checks} />
      </Collapse>
    </Stack>
  );
}

function summarise(failed: number, touching: number): string {
  if (failed === 0) return 'Nothing speaks against the result.';
  if (touching === 0) return 'Those that failed do not touch the reduction.';
  return `${touching === failed ? (failed === 1 ? 'It touches' : 'They touch') : `${touching} of the ${failed} that failed touch`} the reduction.`;
}

function CheckList({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <ul className={classes.checks} aria-label={label}>
      {checks.map(({ id, label: name, state, found, touchesReduction, effect, place }) => (
        <li key={id} className={classes.check}>
          <span className={classes.mark} data-state={state} role="img" aria-label={words[state]}>
            {marks[state]}
          </span>
          <span>
            <strong>{name}</strong>{' '}
            {touchesReduction && (
              <Badge size="sm" variant="light" color="yellow" tt="none">
                touches the reduction
              </Badge>
            )}{' '}
            <ValuesInText text={found} /> {effect !== '' && <ValuesInText text={effect} />}{' '}
            {state === 'failed' && place !== null && <PlaceLink place={place}>Details</PlaceLink>}
          </span>
        </li>
      ))}
    </ul>
  );
}

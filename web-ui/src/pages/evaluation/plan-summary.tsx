import { Stack, Text } from '@mantine/core';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { roundLimits } from '#core/evaluation/repetition.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/term.tsx';
import { formatCount } from '../../format/format-count.ts';
import { formatMs } from '../../format/format-ms.ts';
import { countPlan } from './count-plan.ts';
import { PlannedScenarios } from './planned-scenarios.tsx';
import { PlannedUserAgents } from './planned-user-agents.tsx';
import { PlannedUrls } from './planned-urls.tsx';

/** The Evaluation in the order of thought: what is loaded, under which conditions, by whom, how often. */
export function PlanSummary({ evaluation }: { evaluation: Evaluation }) {
  const { pageLoad, repetition, primaryMetric } = evaluation;
  const counts = countPlan(evaluation);
  const { minRounds, maxRounds } = roundLimits(repetition);
  return (
    <Stack gap={32}>
      <Text size="lg" maw={860}>
        {minRounds < maxRounds && 'At most '}
        {formatCount(counts.visits, 'Visit')} in {formatCount(counts.rounds + counts.warmUpRounds, 'Round')}: each of{' '}
        {formatCount(evaluation.scenarios.length, 'Scenario')} {minRounds < maxRounds ? `${minRounds} to ${maxRounds}` : maxRounds} times{counts.warmUpRounds > 0 && ' and once as a warm-up'}, by{' '}
        {formatCount(evaluation.userAgents.length, 'User Agent')} starting together. The headline compares the <Term metric={primaryMetric}>{metricPhrase[primaryMetric]}</Term>.
      </Text>
      <Section title="URLs">
        <PlannedUrls evaluation={evaluation} />
      </Section>
      <Section title={<Term of="scenario">Scenarios</Term>}>
        <PlannedScenarios scenarios={evaluation.scenarios} />
      </Section>
      <Section title={<Term of="userAgent">User Agents</Term>}>
        <PlannedUserAgents evaluation={evaluation} urlsByList={counts.urlsByList} />
      </Section>
      <Section title="Loading and repetition">
        <Text maw={860}>
          Pages are loaded <Term of="cache">{pageLoad.cache}</Term>, {pageLoad.visitsPerUrl === 1 ? 'once' : `${pageLoad.visitsPerUrl} times`} per{' '}
          <Term of="pass">Pass</Term>, in a viewport of {pageLoad.viewport.widthPx} × {pageLoad.viewport.heightPx} pixels. A page has settled when nothing has
          been in flight for {formatMs(pageLoad.quietMs)}; the hard cap is {formatMs(pageLoad.timeoutMs)}.{' '}
          {repetition.order === 'random-blocks' ? (
            <>
              Scenarios come in random order within each <Term of="block">Block</Term>.
            </>
          ) : (
            'All Rounds of a Scenario come before the next Scenario, so drift of the network falls on Scenarios unevenly.'
          )}{' '}
          A <Term of="brokenRound">broken Round</Term> is tried at most {repetition.attempts} times in all.
        </Text>
      </Section>
    </Stack>
  );
}

const metricPhrase = { baseMs: 'base page latency', viewportMs: 'viewport latency', totalMs: 'total page load latency' };

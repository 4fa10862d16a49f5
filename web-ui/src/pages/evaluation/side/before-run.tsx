import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Section } from '../../../components/section.tsx';
import { formatCount } from '../../../format/format-numbers.ts';
import { countPlan } from '../count-plan.ts';
import { useEditor } from '../editor/editor-context.ts';
import classes from './before-run.module.css';
import { AddressCheck } from './address-check.tsx';
import { checkReadiness } from './check-readiness.ts';
import type { Readiness } from './check-recording.ts';
import { RunEstimate } from './run-estimate.tsx';

const marks: Record<Readiness['state'], { mark: string; word: string }> = {
  ready: { mark: '✓', word: 'ready' },
  without: { mark: '–', word: 'without' },
  limited: { mark: '!', word: 'limited' },
  missing: { mark: '✕', word: 'missing' },
};

const order: Readiness['state'][] = ['missing', 'limited', 'ready', 'without'];

/** Where links to it lead. */
export const beforeRunId = 'before-run';

/** What a Run would measure, how long it would take, and what is missing for it. */
export function BeforeRun() {
  const { evaluation, agents, issues } = useEditor();
  return (
    <Section id={beforeRunId} title="Before the Run">
      {evaluation ? (
        <Stack gap="xs">
          <Text size="sm">{describePlan(evaluation.scenarios.length, countPlan(evaluation))}</Text>
          <RunEstimate evaluation={evaluation} />
          {agents && (
            <ul className={classes.list} aria-label="What a Run needs">
              {checkReadiness(evaluation, agents)
                .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
                .map(({ state, text, fix }, index) => (
                  <li key={index} className={classes.item} data-state={state}>
                    <span className={classes.mark} role="img" aria-label={marks[state].word}>
                      {marks[state].mark}
                    </span>
                    <span>
                      {text}
                      {fix && <span className={classes.fix}> {fix}</span>}
                    </span>
                  </li>
                ))}
            </ul>
          )}
          <AddressCheck evaluation={evaluation} agents={agents ?? []} />
          <Anchor component={Link} to="/hosts" size="sm">
            Hosts
          </Anchor>
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          Correct the {issues.length === 1 ? 'problem' : `${issues.length} problems`} first.
        </Text>
      )}
    </Section>
  );
}

function describePlan(
  scenarios: number,
  { visits, cacheFillingVisits, rounds, warmUpRounds }: ReturnType<typeof countPlan>,
): string {
  const warmUp = warmUpRounds > 0 ? `, ${warmUpRounds} of them warm-up` : '';
  const filling = cacheFillingVisits > 0 ? ` ${formatCount(cacheFillingVisits, 'more Visit')} to fill the cache.` : '';
  return `${formatCount(scenarios, 'Scenario')}: ${formatCount(visits, 'Visit')} in ${formatCount(rounds + warmUpRounds, 'Round')}${warmUp}.${filling}`;
}

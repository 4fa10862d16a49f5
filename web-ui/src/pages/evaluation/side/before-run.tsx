import { Anchor, Stack, Text, Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { addressOf } from '#core/evaluation/pages/url-entry.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { mostTriedUrls } from '#core/protocol/api/try.ts';
import { NeedsRole } from '../../../access/needs-role.tsx';
import { problemOf } from '../../../api/request.ts';
import { Section } from '../../../components/section.tsx';
import { formatCount } from '../../../format/format-numbers.ts';
import { countPlan } from '../count-plan.ts';
import { useEditor } from '../editor/editor-context.ts';
import { listMeasurers, type Measurer } from '../list-measurers.ts';
import {
  isTryOf,
  readTriedAddresses,
  readTryConditions,
  summariseTries,
  tryUrls,
  useTriedRun,
} from '../sections/urls/tries.ts';
import classes from './before-run.module.css';
import { checkReadiness } from './check-readiness.ts';
import type { Readiness } from './check-recording.ts';
import { RunEstimate } from './run-estimate.tsx';
import { ErrorText } from '../fields/error-text.tsx';

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

/** Loads each address of the lists once, on request: are they reachable, and over which HTTP version? Checks of hosts cannot know. */
function AddressCheck({ evaluation, agents }: { evaluation: Evaluation; agents: readonly AgentSummary[] }) {
  const { host, engine, trustedKeys } = readTryConditions({ evaluation, input: null });
  const { addresses, others } = listAddresses(evaluation);
  const who = listMeasurers(agents).find((each) => each.host === host && each.engine === engine);
  const trying = useMutation({
    mutationFn: (what: { urls: string[]; by: Measurer }) => tryUrls(what, trustedKeys),
    meta: { showsProblem: true },
  });
  const isOfThese = isTryOf(trying.variables, { urls: addresses, by: who });
  if (addresses.length === 0) return null;
  return (
    <Stack gap={4} align="flex-start">
      <NeedsRole role="evaluator">
        <Button
          size="compact-sm"
          variant="default"
          loading={trying.isPending}
          disabled={!who}
          onClick={() => who && trying.mutate({ urls: addresses, by: who })}
        >
          Load each address once
        </Button>
      </NeedsRole>
      <Text size="sm" c="dimmed">
        {who ? `With ${engine} on ${host}, now.` : `Needs ${engine} on ${host}, which is not connected.`}
        {others > 0 && ` The first ${mostTriedUrls}; ${formatCount(others, 'other')} not.`}
      </Text>
      <ErrorText error={trying.error && problemOf(trying.error).message} role="alert" />
      {trying.data && isOfThese && <Tried key={trying.data.id} runId={trying.data.id} />}
    </Stack>
  );
}

/** Those of the baseline, as many as are tried at once, and how many more there are. */
export function listAddresses(evaluation: Evaluation): { addresses: string[]; others: number } {
  const { variables } = readTryConditions({ evaluation, input: null });
  const used = [...new Set(evaluation.userAgents.map(({ urlList }) => urlList))];
  const all = new Set(used.flatMap((list) => urlsOf(evaluation, list).map((url) => addressOf(url, variables))));
  return { addresses: [...all].slice(0, mostTriedUrls), others: Math.max(0, all.size - mostTriedUrls) };
}

function Tried({ runId }: { runId: string }) {
  const { error, isOver, waiting, noResult } = useTriedRun(runId);
  const { data: tried, error: unread } = useQuery({
    queryKey: ['tries', runId, 'addresses'],
    queryFn: ({ signal }) => readTriedAddresses(runId, signal),
    enabled: isOver,
  });
  const problem = error ?? unread;
  const failed = tried?.filter(({ failure }) => failure !== null) ?? [];
  return (
    <div role="status">
      {problem && <Text size="sm">{problemOf(problem).message}</Text>}
      {!isOver && !problem && (
        <Text size="sm" c="dimmed">
          {waiting === null ? 'Loading …' : `Waiting for ${waiting}`}
        </Text>
      )}
      {tried && (
        <Text size="sm" c={failed.length > 0 ? 'var(--mantine-color-error)' : 'inherit'}>
          {tried.length > 0 ? `${summariseTries(tried)}.` : noResult}
        </Text>
      )}
      {failed.map(({ url, failure }) => (
        <Text key={url} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {url}: {failure}
        </Text>
      ))}
      {isOver && (
        <Anchor component={Link} to={`/runs/${runId}`} size="sm">
          Run {runId}
        </Anchor>
      )}
    </div>
  );
}

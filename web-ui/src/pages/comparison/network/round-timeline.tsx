import { Group, NativeSelect, NumberInput, Skeleton, Text, Title } from '@mantine/core';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { linkCapacityKbps, type Network } from '#core/evaluation/network/network.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import type { RoundProgress } from '#core/protocol/api/run.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { captureQuery, runQuery } from '../../../api/queries.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import { RoundPasses } from '../../../components/run/round-passes.tsx';
import { UserLegend } from '../../../components/scenario/scenario-legend.tsx';
import { connectionFigure, hasWays, roundThroughputFigure } from '../figures/round-figures.ts';
import type { View } from '../use-view.ts';

type Captured = Extract<CaptureOutcome, { kind: 'captured' }>;

interface RoundTimelineProps {
  comparison: Comparison;
  colours: Map<string, string>;
  view: View;
  changeView: (change: Partial<View>) => void;
}

/** One Round over time: what each User Agent received and sent, stacked, and when each connection was active. Nothing is requested before a Round is chosen. */
export function RoundTimeline({ comparison, colours, view: { round }, changeView }: RoundTimelineProps) {
  const scenario = round?.scenario ?? '';
  return (
    <div>
      <Group gap="md">
        <Title order={3}>Throughput over time</Title>
        <Group gap="xs" className="no-print">
          <NativeSelect
            size="xs"
            aria-label="Scenario of the Round"
            value={scenario}
            onChange={(event) =>
              changeView({
                round:
                  event.currentTarget.value === ''
                    ? null
                    : { block: round?.block ?? 1, scenario: event.currentTarget.value },
              })
            }
            data={[
              { value: '', label: 'choose a Round …' },
              ...comparison.scenarios.map((name) => ({ value: name, label: name })),
            ]}
          />
          {round && (
            <NumberInput
              size="xs"
              w={110}
              prefix="Block "
              min={0}
              aria-label="Block of the Round"
              value={round.block}
              onChange={(block) => changeView({ round: { ...round, block: Number(block) } })}
            />
          )}
        </Group>
      </Group>
      {round && <ChosenRound runId={comparison.runId} round={round} colours={colours} />}
    </div>
  );
}

function ChosenRound({
  runId,
  round,
  colours,
}: {
  runId: string;
  round: NonNullable<View['round']>;
  colours: Map<string, string>;
}) {
  const query = useQuery(runQuery(runId));
  return (
    <QueryContent query={query} what="The Round" skeleton={<Skeleton height={260} />}>
      {({ rounds, evaluation }) => {
        const found = rounds.find(
          ({ block, scenario, state }) => block === round.block && scenario === round.scenario && state === 'completed',
        );
        const network = evaluation.scenarios.find(({ name }) => name === round.scenario)?.network;
        if (found)
          return (
            <RoundPasses runId={runId} round={found}>
              {(passes) => <RoundCharts round={found} passes={passes} network={network} colours={colours} />}
            </RoundPasses>
          );
        return (
          <Text size="sm" c="dimmed">
            There is no completed Round of {round.scenario} in Block {round.block}.
          </Text>
        );
      }}
    </QueryContent>
  );
}

interface RoundChartsProps {
  round: RoundProgress;
  passes: RoundProgress['passes'];
  /** Of its Scenario. */
  network: Network | undefined;
  colours: Map<string, string>;
}

function RoundCharts({ round, passes, network, colours }: RoundChartsProps) {
  const queryClient = useQueryClient();
  const captures = useQueries({
    queries: passes.map(({ id }) => captureQuery({ kind: 'pass', id })),
    combine: (results) => ({
      isPending: results.some((result) => result.isPending),
      error: results.find((result) => result.isLoadingError)?.error ?? null,
      outcomes: results.map((result) => result.data ?? null),
    }),
  });
  if (captures.isPending) return <Skeleton height={260} />;
  const captured = passes.flatMap(({ userAgent }, index) => {
    const outcome = captures.outcomes[index];
    return outcome?.kind === 'captured' ? [{ userAgent, capture: outcome }] : [];
  });
  const askAgain = () =>
    queryClient.refetchQueries({
      queryKey: ['captures'],
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    });
  return (
    <>
      {captures.error && (
        <ProblemAlert
          title="Not all packets of this Round can be shown"
          error={captures.error}
          onRetry={() => void askAgain()}
        />
      )}
      {captured.length > 0 && (
        <CapturedRound
          key={round.id}
          title={`${round.scenario}, Block ${round.block}`}
          captured={captured}
          network={network}
          colours={colours}
        />
      )}
      {captured.length === 0 && !captures.error && (
        <Text size="sm" c="dimmed">
          No packets of this Round were captured.
        </Text>
      )}
    </>
  );
}

function CapturedRound({
  title,
  captured,
  network,
  colours,
}: {
  title: string;
  captured: { userAgent: string; capture: Captured }[];
  network: Network | undefined;
  colours: Map<string, string>;
}) {
  const [chosen, choose] = useState(captured[0]!.userAgent);
  const [received, sent] = useMemo(() => {
    const draw = (way: 'received' | 'sent') =>
      roundThroughputFigure(captured, { way, title, colours, capacityKbps: linkCapacityKbps(network, way) });
    return [draw('received'), hasWays(captured) ? draw('sent') : null];
  }, [captured, title, network, colours]);
  const user = captured.find(({ userAgent }) => userAgent === chosen) ?? captured[0]!;
  const connections = useMemo(
    () =>
      connectionFigure(user.capture.statistics, {
        title: `${user.userAgent}, ${title}`,
        colour: colours.get(user.userAgent)!,
        time: received.time,
        clockOffsetMs: user.capture.clockOffsetMs,
      }),
    [user, title, colours, received],
  );
  return (
    <>
      <ChartFigure figure={received} heightPx={260} legend={<UserLegend colours={colours} />} />
      {sent && <ChartFigure figure={sent} heightPx={180} />}
      <ChartFigure
        figure={connections}
        heightPx={90 + 16 * connections.rows}
        legend={
          <NativeSelect
            size="xs"
            aria-label="User Agent whose connections are shown"
            value={user.userAgent}
            onChange={(event) => choose(event.currentTarget.value)}
            data={captured.map(({ userAgent }) => ({ value: userAgent, label: `Connections of ${userAgent}` }))}
          />
        }
      />
    </>
  );
}

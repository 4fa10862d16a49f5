import { Group, SimpleGrid, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { stateEvenShares } from '#core/comparison/findings/state-even-shares.ts';
import { stateNoStartOrder } from '#core/comparison/findings/state-no-start-order.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { methodQuery } from '../../../api/queries.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { FoldedFigure } from '../../../components/chart/folded-figure.tsx';
import { ScenarioLegend } from '../../../components/scenario/scenario-legend.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Section } from '../../../components/section.tsx';
import { Term } from '../../../components/terms/term.tsx';
import { colourUsers } from '../../../components/scenario/user-colours.ts';
import { UserLegend } from '../../../components/scenario/user-legend.tsx';
import { BandwidthTable } from './bandwidth-table.tsx';
import { shareFigure } from '../figures/share-figure.ts';
import { startOrderFigure } from '../figures/start-order-figure.ts';
import { userLatencyFigure } from '../figures/user-latency-figure.ts';

interface UsersSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** Compares the User Agents: their latencies, what each received, and whether that was fair. */
export function UsersSection({ comparison, styles }: UsersSectionProps) {
  const { users, bandwidth, scenarios, userAgents } = comparison;
  const colours = useMemo(() => colourUsers(userAgents), [userAgents]);
  const shares = useMemo(
    () => (bandwidth.kind === 'measured' ? shareFigure(bandwidth.scenarios, colours) : null),
    [bandwidth, colours],
  );
  // If every Visit failed, there are users, but no figure for them.
  const hasLatencies =
    users.kind === 'measured' &&
    users.scenarios.some((scenario) => scenario.users.some(({ latencyMs }) => latencyMs !== null));
  if (!hasLatencies && bandwidth.kind === 'absent') return null;
  return (
    <Section id="users" title="User Agents">
      {hasLatencies && <UserCharts comparison={comparison} styles={styles} />}
      {bandwidth.kind === 'measured' && (
        <>
          <Title order={3} mt="md" id="bandwidth">
            Bandwidth share and fairness
          </Title>
          {shares && (
            <FoldedFigure sentence={stateEvenShares(bandwidth.scenarios)}>
              <ChartFigure
                figure={shares}
                heightPx={60 + 38 * scenarios.length}
                legend={<UserLegend colours={colours} />}
              />
            </FoldedFigure>
          )}
          <BandwidthTable
            scenarios={bandwidth.scenarios}
            userAgents={userAgents}
            compared={comparison}
            styles={styles}
          />
        </>
      )}
    </Section>
  );
}

function UserCharts({ comparison, styles }: Pick<UsersSectionProps, 'comparison' | 'styles'>) {
  const { runId, users, userAgents, primaryMetric, scenarios, countedFrom } = comparison;
  const method = useQuery(methodQuery(runId)).data;
  const metricLabel = nameLatency(primaryMetric, countedFrom);
  const figures = useMemo(() => {
    if (users.kind === 'absent') return null;
    const classes = new Map(method?.userAgents.map(({ name, userClass }) => [name, userClass]));
    const classed = userAgents.map((name) => ({ name, userClass: classes.get(name) ?? null }));
    return {
      hasClasses: classed.some(({ userClass }) => userClass !== null),
      latency: userLatencyFigure({ users: classed, scenarios: users.scenarios, styles, metricLabel }),
      order: startOrderFigure(users.scenarios, styles),
      noOrder: stateNoStartOrder(users.scenarios),
    };
  }, [users, userAgents, method, styles, metricLabel]);
  if (!figures) return null;
  const isBeside = figures.order !== null && figures.noOrder === null;
  return (
    <>
      <Group>
        <ScenarioLegend names={scenarios} styles={styles} compared={comparison} />
      </Group>
      <SimpleGrid cols={{ base: 1, md: isBeside ? 2 : 1 }} spacing="xl">
        <div>
          <Title order={3}>
            {metricLabel} by{' '}
            {figures.hasClasses ? <Term of="userClass">class</Term> : <Term of="userAgent">User Agent</Term>}
          </Title>
          <ChartFigure figure={figures.latency} heightPx={300} />
        </div>
        {figures.order && (
          <div>
            <Title order={3}>
              <Term of="startOrder">Start order</Term>
            </Title>
            <FoldedFigure sentence={figures.noOrder}>
              <ChartFigure figure={figures.order} heightPx={300} />
            </FoldedFigure>
          </div>
        )}
      </SimpleGrid>
    </>
  );
}

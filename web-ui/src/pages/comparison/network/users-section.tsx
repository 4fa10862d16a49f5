import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { stateEvenShares, includes, liesWithin } from '#core/comparison/findings/state-findings.ts';
import type { ScenarioUsers, UserComparison } from '#core/comparison/users/compare-users.ts';
import { findStartOrderEffects } from '#core/comparison/users/start-order-effects.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { Comparison, Estimate, ScenarioBandwidth } from '#core/comparison/comparison.ts';
import { methodQuery } from '../../../api/queries.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { Folded } from '../../../components/folded.tsx';
import { ScenarioLegend, UserLegend } from '../../../components/scenario/scenario-legend.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { colourUsers } from '../../../components/scenario/series-colours.ts';
import { Section } from '../../../components/section.tsx';
import { Term } from '../../../components/terms/term.tsx';
import { formatMean } from '../../../format/format-numbers.ts';
import { shareFigure, startOrderFigure, userLatencyFigure } from '../figures/user-figures.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { CapturedRounds } from './captured-rounds.tsx';
import { DelaysTables, HarmTable } from './harm-tables.tsx';
import { ScenarioFigures } from './scenario-figures.tsx';

interface BandwidthTableProps {
  scenarios: ScenarioBandwidth[];
  userAgents: string[];
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  styles: Map<string, ScenarioStyle>;
}

const weightedColumn = {
  name: 'weighted fairness',
  heading: <Term of="weightedFairness">by class weight</Term>,
  cell: ({ fairness, weightedFairness }: ScenarioBandwidth) => (
    <MeanValue
      estimate={weightedFairness}
      decimals={indexDecimals}
      absence={fairness ? 'In this Scenario, not every User Agent has a class.' : undefined}
    />
  ),
};

const indexDecimals = 3;
const toPercent = ({ mean, halfWidth }: Estimate): MeanValueProps['estimate'] => ({
  mean: 100 * mean,
  halfWidth: halfWidth && 100 * halfWidth,
});
const hasWeights = (scenarios: ScenarioBandwidth[]) =>
  scenarios.some(({ weightedFairness }) => weightedFairness !== null);

interface MeanValueProps {
  estimate: Pick<Estimate, 'mean' | 'halfWidth'> | null;
  decimals: number;
  unit?: string;
  absence?: string | undefined;
}

const tolerance = 0.05;

/** A wider matrix is for programs: the JSON has it. */
const mostInMatrix = 12;

interface UsersSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** Compares the User Agents: their latencies, what each received, and whether that was fair. */
export function UsersSection({ comparison, styles }: UsersSectionProps) {
  const { users, bandwidth, scenarios, userAgents, harm, delays } = comparison;
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
  const even = bandwidth.kind === 'measured' ? stateEvenShares(bandwidth.scenarios) : null;
  return (
    <Section id="users" title="User Agents">
      <SimpleGrid cols={{ base: 1, md: hasLatencies ? 2 : 1 }} spacing="xl">
        {hasLatencies && <UserLatencies comparison={comparison} styles={styles} />}
        <Stack gap="xs" miw={0}>
          {hasLatencies && <StartOrder comparison={comparison} styles={styles} />}
          {bandwidth.kind === 'measured' && (
            <>
              <Title order={3} id="bandwidth">
                Bandwidth share and fairness
              </Title>
              {even !== null && <Text size="sm">{even}</Text>}
              <Folded isFolded={even !== null} summary="Shares and fairness by Scenario">
                {shares && (
                  <ChartFigure
                    figure={shares}
                    heightPx={60 + 38 * scenarios.length}
                    legend={<UserLegend colours={colours} />}
                  />
                )}
                <BandwidthTable
                  scenarios={bandwidth.scenarios}
                  userAgents={userAgents}
                  compared={comparison}
                  styles={styles}
                />
              </Folded>
            </>
          )}
          {harm && <HarmTable harm={harm} countedFrom={comparison.countedFrom} styles={styles} />}
          {delays?.kind === 'measured' && userAgents.length > 1 && userAgents.length <= mostInMatrix && (
            <DelaysTables delays={delays} styles={styles} />
          )}
        </Stack>
      </SimpleGrid>
    </Section>
  );
}

/** By class where the Run has classes. */
export function UserLatencies({ comparison, styles }: Pick<UsersSectionProps, 'comparison' | 'styles'>) {
  const { runId, users, userAgents, primaryMetric, scenarios, countedFrom } = comparison;
  const method = useQuery(methodQuery(runId)).data;
  const metricLabel = nameLatency(primaryMetric, countedFrom);
  const figure = useMemo(() => {
    if (users.kind === 'absent') return null;
    const classes = new Map(method?.userAgents.map(({ name, userClass }) => [name, userClass]));
    const classed = userAgents.map((name) => ({ name, userClass: classes.get(name) ?? null }));
    return userLatencyFigure({ users: classed, scenarios: users.scenarios, styles, metricLabel });
  }, [users, userAgents, method, styles, metricLabel]);
  if (!figure) return null;
  const hasClasses = method?.userAgents.some(({ userClass }) => userClass !== null) === true;
  return (
    <div>
      <Title order={3}>
        {metricLabel} by {hasClasses ? <Term of="userClass">class</Term> : <Term of="userAgent">User Agent</Term>}
      </Title>
      <ChartFigure
        figure={figure}
        heightPx={200}
        legend={<ScenarioLegend names={scenarios} styles={styles} compared={comparison} />}
      />
    </div>
  );
}

/** Folded: without an effect it is a sentence, and with one a remark has said so. */
function StartOrder({
  comparison: { users, scenarios, baseline, groups, confidence },
  styles,
}: Pick<UsersSectionProps, 'comparison' | 'styles'>) {
  const figure = useMemo(
    () => (users.kind === 'absent' ? null : startOrderFigure(users.scenarios, styles)),
    [users, styles],
  );
  if (!figure || users.kind === 'absent') return null;
  return (
    <Folded
      summary={
        <>
          <Term of="startOrder">Start order</Term>: {stateStartOrder(users, confidence)}
        </>
      }
    >
      <ChartFigure
        figure={figure}
        heightPx={220}
        legend={<ScenarioLegend names={scenarios} styles={styles} compared={{ baseline, groups }} />}
      />
    </Folded>
  );
}

/** What the order of the start does: an effect that is shown, that there is none, or that neither is known. */
export function stateStartOrder(users: UserComparison, confidence: number): string {
  const shown = findStartOrderEffects(users, confidence).map(({ scenario }) => scenario);
  if (shown.length > 0)
    return `who starts first differs from the others under ${new Intl.ListFormat('en').format(shown)}.`;
  const nothing = users.kind === 'absent' ? null : stateNoStartOrder(users.scenarios);
  return nothing ?? 'no effect of who starts first is shown.';
}

/** That the order of the start made no difference, where the interval of each relative latency includes 1 and lies within 5 % of it. Null where a figure has more to show. */
export function stateNoStartOrder(scenarios: readonly ScenarioUsers[]): string | null {
  const estimates = scenarios.flatMap(({ byStartOrder }) => byStartOrder ?? []);
  if (estimates.length === 0) return null;
  const isNothing = estimates.every(
    (estimate) =>
      estimate !== null && includes(estimate, 1) && liesWithin(estimate, { low: 1 - tolerance, high: 1 + tolerance }),
  );
  if (!isNothing) return null;
  return 'who started first made no difference: the intervals of all relative latencies include 1 and lie within 5 % of it.';
}

/** How the User Agents of each Scenario shared the way to them. */
function BandwidthTable({ scenarios, userAgents, compared, styles }: BandwidthTableProps) {
  return (
    <ScenarioFigures
      label="Bandwidth share and fairness by Scenario"
      first={<Term of="scenario">Scenario</Term>}
      rows={scenarios}
      columns={[
        ...userAgents.map((name) => ({
          name: `share of ${name}`,
          heading: <Term of="bandwidthShare">{name}</Term>,
          cell: ({ shares }: ScenarioBandwidth) => {
            const share = shares.find(({ userAgent }) => userAgent === name)?.estimate;
            return <MeanValue estimate={share ? toPercent(share) : null} decimals={1} unit={'\u00A0%'} />;
          },
        })),
        {
          name: 'fairness',
          heading: <Term of="fairness">Fairness</Term>,
          cell: ({ fairness }) => <MeanValue estimate={fairness} decimals={indexDecimals} />,
        },
        ...(hasWeights(scenarios) ? [weightedColumn] : []),
        {
          name: 'least to most',
          heading: <Term of="leastToMost">Least to most</Term>,
          cell: ({ leastToMost }) => <MeanValue estimate={leastToMost} decimals={indexDecimals} />,
        },
        {
          name: 'rounds',
          heading: <Term of="round">Rounds</Term>,
          cell: (scenario) => (
            <CapturedRounds captured={scenario} reason="Not all User Agents were captured and active together." />
          ),
        },
      ]}
      compared={compared}
      styles={styles}
      minWidthPx={600}
    />
  );
}

function MeanValue({
  estimate,
  decimals,
  unit = '',
  absence = 'No counted Round has the packets of all User Agents.',
}: MeanValueProps) {
  if (!estimate) return <AbsentValue reason={absence} />;
  return `${formatMean(estimate, decimals)}${unit}`;
}

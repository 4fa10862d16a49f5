import { Progress, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { outlineQuery } from '../../api/outline-query.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatHalfWidth, formatNumber } from '../../format/format-numbers.ts';
import { formatPercent, formatConfidence } from '../../format/format-ratios.ts';
import { decimalsOfMs, formatMs } from '../../format/format-times.ts';
import { useVisitPoints, type VisitPoint } from './use-visit-points.ts';
import type { OutlinedMean } from '#core/comparison/comparison-outline.ts';
import { axisTicks } from '../../components/axis-ticks.ts';
import { cssColour } from '../../components/scenario/series-colours.ts';
import classes from './latency-strip.module.css';

/** Latencies as they arrive: the mean of each Scenario over the completed Rounds, and its interval, which shrinks with every one of them. */
export function RunIntervals({ run, styles }: { run: RunDetail; styles: Map<string, ScenarioStyle> }) {
  const { data: outline } = useQuery({
    ...outlineQuery(run.id),
    queryKey: [...outlineQuery(run.id).queryKey, String(run.roundsCompleted)],
    placeholderData: keepPreviousData,
    enabled: run.roundsCompleted > 0,
  });
  const primary = run.evaluation.primaryMetric;
  const points = useVisitPoints(run, primary);
  const metric = outline?.metrics.find((each) => each.metric === primary);
  if (!metric && points.length === 0) return null;
  const rows = run.evaluation.scenarios.map(({ name, baseline }) => ({
    scenario: name,
    isBaseline: baseline,
    mean: metric?.scenarios.find(({ scenario }) => scenario === name)?.mean ?? null,
  }));
  const useful = rows.map(({ mean }) => (isKnown(mean) ? mean : null));
  const extent = stripExtent(points, useful);
  return (
    <Section title="Latencies so far">
      <Table.ScrollContainer minWidth={860}>
        <Table aria-label="Latencies so far" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                <Term of="scenario">Scenario</Term>
              </Table.Th>
              <Table.Th className="numeric">
                <Term of="round">Rounds</Term>
              </Table.Th>
              <Table.Th className="numeric">
                <Term metric={primary} />
              </Table.Th>
              <Table.Th className="numeric">
                ± <Term of="interval">{formatConfidence(run.evaluation.comparison.confidence)} interval</Term>
              </Table.Th>
              <Table.Th w={150}>± relative to the mean</Table.Th>
              <Table.Th w="36%">
                Newest <Term of="visit">Visits</Term>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ scenario, isBaseline, mean }, index) => (
              <Table.Tr key={scenario}>
                <Table.Th scope="row">
                  <ScenarioName name={scenario} style={styles.get(scenario)} isBaseline={isBaseline} />
                </Table.Th>
                <Table.Td className="numeric">{mean?.rounds ?? 0}</Table.Td>
                <Table.Td className="numeric">
                  {mean ? (
                    formatMs(mean.mean)
                  ) : (
                    <AbsentValue reason="No counted Round of this Scenario has a value yet." />
                  )}
                </Table.Td>
                <Table.Td className="numeric">
                  {isKnown(mean) ? (
                    `${formatHalfWidth(mean.halfWidth, decimalsOfMs(mean.mean))} ms`
                  ) : (
                    <AbsentValue
                      reason={`Shown from ${leastRounds} Rounds on. With fewer, the interval is too wide to be useful.`}
                    />
                  )}
                </Table.Td>
                <Table.Td>
                  <RelativeWidth mean={mean} />
                </Table.Td>
                <Table.Td>
                  {extent && (
                    <LatencyStrip
                      points={points.filter((point) => point.scenario === scenario)}
                      mean={useful[index]!}
                      extent={extent}
                      colour={styles.get(scenario)!.colour}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
            {extent && (
              <Table.Tr aria-hidden="true">
                <Table.Td colSpan={5} />
                <Table.Td>
                  <StripAxis extent={extent} />
                </Table.Td>
              </Table.Tr>
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed">
        A point for each Visit of the last Blocks, full while its Round is under way.
        {useful.some((mean) => mean !== null) && ' Below them is the mean with its interval.'} {describeTarget(run)}
      </Text>
    </Section>
  );
}

const leastRounds = 3;

function isKnown(mean: OutlinedMean | null): mean is OutlinedMean & { halfWidth: number } {
  return mean !== null && mean.halfWidth !== null && mean.rounds >= leastRounds;
}

/** Full: half the width of the interval is a fifth of the mean, or more. */
function RelativeWidth({ mean }: { mean: OutlinedMean | null }) {
  if (!isKnown(mean)) return null;
  const ratio = mean.halfWidth / mean.mean;
  return (
    <>
      <Text span size="sm">
        {formatPercent(ratio)}
      </Text>
      <Progress value={Math.min(100, ratio * 500)} size={4} color="gray" aria-hidden="true" />
    </>
  );
}

function describeTarget({ evaluation: { repetition } }: RunDetail): string {
  const { adaptive } = repetition;
  if (!adaptive) return 'This Run has a fixed number of Rounds. The width of the intervals does not change that.';
  const { halfWidthRatio, halfWidthMs } = adaptive.target;
  const target =
    halfWidthRatio === undefined ? `± ${formatMs(halfWidthMs!)}` : `± ${formatPercent(halfWidthRatio)} of the mean`;
  return `The Run ends after ${adaptive.maxRounds} Rounds, or when each mean of a URL, User Agent and Scenario is known to ${target}. The means above cover all URLs and User Agents, so their intervals are narrower.`;
}

interface LatencyStripProps {
  points: readonly VisitPoint[];
  /** With its interval; null before the first Round has ended, and while the interval is too wide to be useful. */
  mean: OutlinedMean | null;
  extent: StripExtent;
  colour: string;
}

const heightPx = 34;
/** Points at one place are beside each other in so many rows. */
const rows = 5;

/** A point for each of the newest Visits of a Scenario, full while its Round is under way, and the mean with its interval. */
function LatencyStrip({ points, mean, extent, colour }: LatencyStripProps) {
  const percent = (value: number) => (100 * (value - extent.low)) / (extent.high - extent.low);
  const x = (value: number) => `${percent(Math.max(extent.low, value))}%`;
  const shade = cssColour(colour);
  return (
    <svg className={classes.strip} height={heightPx} aria-hidden="true">
      {points.map(({ valueMs, isLive }, index) => (
        <circle
          key={index}
          className={isLive ? classes.live : classes.stored}
          cx={x(valueMs)}
          cy={5 + ((index * 2) % rows) * 4}
          r={isLive ? 3.5 : 2.5}
          style={{ fill: shade }}
        />
      ))}
      {mean && (
        <g style={{ stroke: shade }}>
          {mean.halfWidth !== null && (
            <line
              className={classes.interval}
              x1={x(mean.mean - mean.halfWidth)}
              x2={x(mean.mean + mean.halfWidth)}
              y1={heightPx - 5}
              y2={heightPx - 5}
            />
          )}
          <line className={classes.mean} x1={x(mean.mean)} x2={x(mean.mean)} y1={heightPx - 10} y2={heightPx} />
        </g>
      )}
    </svg>
  );
}

/** The axis of all strips. */
function StripAxis({ extent }: { extent: StripExtent }) {
  return (
    <div className={classes.axis} aria-hidden="true">
      {axisTicks(extent, 4).map((tick) => (
        <span
          key={tick}
          className={classes.tick}
          style={{ left: `${(100 * (tick - extent.low)) / (extent.high - extent.low)}%` }}
        >
          {formatNumber(tick)}&nbsp;ms
        </span>
      ))}
    </div>
  );
}

interface StripExtent {
  low: number;
  high: number;
}

/** An axis that holds all points and intervals, with some room; null without any. */
export function stripExtent(
  points: readonly VisitPoint[],
  means: readonly (OutlinedMean | null)[],
): StripExtent | null {
  const values = [
    ...points.map(({ valueMs }) => valueMs),
    ...means.flatMap((each) => (each ? [each.mean - (each.halfWidth ?? 0), each.mean + (each.halfWidth ?? 0)] : [])),
  ].map((value) => Math.max(0, value));
  if (values.length === 0) return null;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(1, 0.05 * (most - least));
  return { low: Math.max(0, least - room), high: most + room };
}

import { fewDecimals } from '#core/statistics/reads-as-zero.ts';
import { Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { causeIds, type CauseId } from '#core/causes/causes.ts';
import type { CausesComparison, CausesDifference, ScenarioCauses } from '#core/comparison/causes/causes-comparison.ts';
import { baselinesOf } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { blockPairAddress } from '../../api/pair-search.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { CauseBars, CauseName, colourOf } from '../../components/causes/cause-bars.tsx';
import classes from '../../components/causes/causes.module.css';
import { Folded, FoldedRow } from '../../components/folded.tsx';
import { useIsAlone } from '../../components/report-place.ts';
import { ScenarioMarker } from '../../components/scenario/scenario-marker.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { ValuesInText } from '../../components/values-in-text.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { formatDifferenceMs } from '../../format/format-times.ts';
import { DifferencesApart, formatBounded, leastMs } from './differences-apart.tsx';
import { LinkUse } from './link-use.tsx';
import { formatPercent } from '../../format/format-ratios.ts';

interface WhyProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

type Split = Extract<CausesComparison, { kind: 'split' }>;

/** Of more Scenarios, each has its sentence, and opens. */
const mostUnfolded = 5;

/** What the primary latency is made of under each Scenario, and what makes the differences. */
export function WhySection({ comparison, styles }: WhyProps) {
  const { causes, countedFrom, delays } = comparison;
  const differing = causes.kind === 'split' ? causes.scenarios.filter(({ difference }) => difference !== null) : [];
  const isLong = causes.kind === 'split' && causes.scenarios.length > mostUnfolded;
  return (
    <Section id="why" title="Why">
      {causes.kind === 'absent' ? (
        <Text size="sm" c="dimmed">
          {causes.reason}
        </Text>
      ) : (
        <Stack gap="xs">
          {!isLong &&
            causes.sentences.map((sentence) => (
              <Text key={sentence} fw={500}>
                <ValuesInText text={sentence} />
              </Text>
            ))}
          <Folded
            isFolded={isLong}
            summary={`What the latency is made of${causes.scenarios.length > 1 ? ` under each of ${causes.scenarios.length} Scenarios` : ''}`}
          >
            <CauseBars
              bars={causes.scenarios.flatMap(({ scenario, parts }) =>
                parts
                  ? [{ key: scenario, name: <ScenarioName name={scenario} style={styles.get(scenario)} />, parts }]
                  : [],
              )}
            />
          </Folded>
          {differing.map((of, index) => (
            <Folded
              key={of.scenario}
              isFolded={isLong}
              summary={<ValuesInText text={causes.sentences[index] ?? of.scenario} />}
            >
              <Differences
                of={of}
                difference={of.difference!}
                isAlone={!isLong && differing.length === 1}
                {...{ comparison, causes, styles }}
              />
            </Folded>
          ))}
          <FoldedRow>
            {!isLong && differing.length === 1 && <DifferencesApart of={differing[0]!} />}
            {delays?.kind === 'measured' && <LinkUse delays={delays} styles={styles} />}
            <Folded summary="What this shows">
              <Text size="xs" c="dimmed">
                Where the time of the mean {nameLatency(causes.metric).toLowerCase()} went, on the path that decided it
                {countedFrom === 'first-request' && '; here it counts from navigation start'}. The parts sum to the
                latency, and their differences to its difference. Their intervals hold{' '}
                {formatPercent(causes.confidence)} all together. It is no prediction: without one cause, another path
                may decide.
                {causes.visitsWithout > 0 && ` ${formatCount(causes.visitsWithout, 'Visit')} could not be split.`}
              </Text>
            </Folded>
          </FoldedRow>
        </Stack>
      )}
    </Section>
  );
}

interface DifferencesProps extends WhyProps {
  /** The only one: what it is apart by page and User Agent stands below. */
  isAlone: boolean;
  of: ScenarioCauses;
  difference: CausesDifference;
  causes: Split;
}

/** The bridge from the baseline to a Scenario. */
function Differences({ of, difference, isAlone, comparison, causes, styles }: DifferencesProps) {
  const baseline = baselinesOf(comparison).get(of.scenario)!;
  const partsOf = (scenario: string) => causes.scenarios.find((each) => each.scenario === scenario)?.parts ?? null;
  const meansOf = (cause: CauseId) => [partsOf(baseline), partsOf(of.scenario)].map((parts) => meanOf(parts, cause));
  const { rows = [], others = [] } = Object.groupBy(difference.parts, ({ cause, value }) =>
    [value, ...meansOf(cause)].some((ms) => Math.abs(ms ?? 0) >= leastMs) ? 'rows' : 'others',
  );
  const othersMs = others.reduce((sum, { value }) => sum + value, 0);
  const [othersOfBaseline, othersOf] = [partsOf(baseline), partsOf(of.scenario)].map(
    (parts) => parts && others.reduce((sum, { cause }) => sum + meanOf(parts, cause)!, 0),
  );
  const [sumOfBaseline, sumOfOwn] = [sumOf(partsOf(baseline)), sumOf(partsOf(of.scenario))];
  const isOfOthers =
    sumOfBaseline !== null &&
    sumOfOwn !== null &&
    Math.abs(sumOfOwn - sumOfBaseline - difference.total.value) >= leastMs;
  const span = spanOf(difference);
  const decimals = fewDecimals(difference.total.value);
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        <ScenarioMarker style={styles.get(of.scenario)} /> {of.scenario} − {baseline}
      </Text>
      <Table.ScrollContainer minWidth={340} className={classes.causes}>
        <Table aria-label={`Causes of the difference between ${of.scenario} and ${baseline}`} verticalSpacing={3}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Cause</Table.Th>
              <Table.Th className="numeric" visibleFrom="xs">
                {baseline}, ms
              </Table.Th>
              <Table.Th className="numeric" visibleFrom="xs">
                {of.scenario}, ms
              </Table.Th>
              <Table.Th className="numeric">Difference, ms</Table.Th>
              <Table.Td w="26%" aria-hidden="true" />
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ cause, isShown, ...bounded }) => (
              <Table.Tr key={cause} className={isShown ? undefined : classes.unshown}>
                <Table.Th scope="row" className={classes.rowName}>
                  <CauseName cause={cause} />
                </Table.Th>
                {meansOf(cause).map((ms, place) => (
                  <MeanCell key={place} ms={ms} />
                ))}
                <Table.Td className="numeric">{formatBounded(bounded, decimals)}</Table.Td>
                <Table.Td aria-hidden="true">
                  <Change valueMs={bounded.value} span={span} colour={colourOf(cause)} />
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <ExampleLink of={of} cause={cause} baseline={baseline} comparison={comparison} />
                </Table.Td>
              </Table.Tr>
            ))}
            {[othersMs, othersOfBaseline, othersOf].some((ms) => Math.abs(ms ?? 0) >= leastMs) && (
              <Table.Tr className={classes.unshown}>
                <Table.Th scope="row">Others, less than {leastMs} ms each</Table.Th>
                <MeanCell ms={othersOfBaseline ?? null} />
                <MeanCell ms={othersOf ?? null} />
                <Table.Td className="numeric">{formatDifferenceMs(othersMs, 1)}</Table.Td>
                <Table.Td colSpan={2} />
              </Table.Tr>
            )}
            <Table.Tr fw={600}>
              <Table.Th scope="row">Sum</Table.Th>
              <MeanCell ms={sumOfBaseline} />
              <MeanCell ms={sumOfOwn} />
              <Table.Td className="numeric">{formatBounded(difference.total, decimals)}</Table.Td>
              <Table.Td colSpan={2} />
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {isOfOthers && (
        <Text size="xs" c="dimmed">
          The means are of the pages that every Scenario has. The differences are of the pages and Blocks that both of
          these have.
        </Text>
      )}
      {!isAlone && <DifferencesApart of={of} />}
    </Stack>
  );
}

function meanOf(parts: readonly number[] | null, cause: CauseId): number | null {
  return parts && parts[causeIds.indexOf(cause)]!;
}

/** Not on a phone: its room is for the differences. */
function MeanCell({ ms }: { ms: number | null }) {
  return (
    <Table.Td className="numeric" visibleFrom="xs">
      {ms === null ? (
        <AbsentValue reason="No page is in every Scenario." />
      ) : (
        formatDifferenceMs(ms, 0).replace('+', '')
      )}
    </Table.Td>
  );
}

function sumOf(parts: readonly number[] | null): number | null {
  return parts && parts.reduce((sum, ms) => sum + ms, 0);
}

/** Where zero is, and how much the widest bars take. */
function spanOf({ parts }: CausesDifference): { low: number; high: number } {
  const values = parts.map(({ value }) => value);
  return { low: Math.min(0, ...values), high: Math.max(0, ...values) };
}

function Change({ valueMs, span, colour }: { valueMs: number; span: { low: number; high: number }; colour: string }) {
  const width = Math.max(span.high - span.low, Number.MIN_VALUE);
  const at = (ms: number) => (100 * (ms - span.low)) / width;
  return (
    <div className={classes.change}>
      <span
        style={{
          left: `${at(Math.min(0, valueMs))}%`,
          width: `max(2px, ${(100 * Math.abs(valueMs)) / width}%)`,
          background: colour,
        }}
      />
      <i style={{ left: `${at(0)}%` }} />
    </div>
  );
}

/** The way to the two Visits that show a part best. */
function ExampleLink({
  of: { scenario, examples },
  cause,
  baseline,
  comparison: { runId, primaryMetric },
}: Pick<DifferencesProps, 'of' | 'comparison'> & { cause: CauseId; baseline: string }) {
  const example = examples.find((each) => each.cause === cause);
  if (useIsAlone() || !example) return null;
  const { url, userAgent, block } = example;
  return (
    <Anchor
      component={Link}
      size="sm"
      to={blockPairAddress({
        runId,
        url,
        first: baseline,
        second: scenario,
        userAgent,
        metric: primaryMetric,
        block,
        cause,
      })}
    >
      See it
    </Anchor>
  );
}

import { Table, Text } from '@mantine/core';
import { catalogue, type MetricId } from '#core/metrics/index.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatPercent } from '../../format/format-ratios.ts';
import { formatReading } from '../../format/format-reading.ts';
import { explainNoReading } from '../visit/readings-section.tsx';
import type { SeenVisit } from '../visit/use-seen-visit.ts';

const shown = [
  'baseMs',
  'viewportMs',
  'totalMs',
  'taskMs',
  'messageMedianMs',
  'message95Ms',
  'lostMessageCount',
  'firstContentfulPaintMs',
  'largestContentfulPaintMs',
  'speedIndexMs',
  'cumulativeLayoutShift',
  'totalBlockingMs',
  'mainThreadMs',
  'scriptingMs',
  'layoutMs',
  'paintMs',
  'objectCount',
  'failedObjectCount',
  'connectionCount',
  'receivedBytes',
] as const satisfies MetricId[];

interface PairProps {
  first: SeenVisit;
  second: SeenVisit;
}

/** What was measured of both, and by how much the second differs. */
export function PairFacts({ first, second }: PairProps) {
  const metrics = shown.filter((metric) => metric in first.visit.readings || metric in second.visit.readings);
  return (
    <Table.ScrollContainer minWidth={metrics.length * 86 + 130}>
      <Table w="auto" aria-label="Readings of both Visits" verticalSpacing={5} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {metrics.map((metric) => (
              <Table.Th
                key={metric}
                className="numeric"
                style={{ verticalAlign: 'bottom', whiteSpace: 'normal', width: 110 }}
              >
                <Term metric={metric} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[first, second].map(({ visit, style }, index) => (
            <Table.Tr key={index}>
              <Table.Th scope="row">
                <ScenarioName name={visit.scenario} style={style} />
              </Table.Th>
              {metrics.map((metric) => (
                <Table.Td key={metric} className="numeric">
                  {visit.readings[metric] === undefined ? (
                    <AbsentValue reason={explainNoReading(metric, visit)} />
                  ) : (
                    formatReading(visit.readings[metric], catalogue[metric].unit)
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row">Difference</Table.Th>
            {metrics.map((metric) => (
              <Table.Td key={metric} className="numeric">
                <Difference metric={metric} first={first} second={second} />
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Difference({ metric, first, second }: PairProps & { metric: MetricId }) {
  const [one, other] = [first.visit.readings[metric], second.visit.readings[metric]];
  if (one === undefined || other === undefined) return <AbsentValue reason="Only one of the two has it." />;
  const sign = other > one ? '+' : other < one ? '−' : '±';
  const { unit } = catalogue[metric];
  const isShare = one > 0 && (unit === 'ms' || unit === 'bytes');
  return (
    <>
      {sign}
      {formatReading(Math.abs(other - one), unit)}
      {isShare && (
        <Text size="xs" c="dimmed">
          {sign}
          {formatPercent(Math.abs(other / one - 1))}
        </Text>
      )}
    </>
  );
}

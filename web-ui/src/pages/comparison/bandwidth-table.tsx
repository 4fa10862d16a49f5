import { Table, Text } from '@mantine/core';
import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison, Estimate, ScenarioBandwidth } from '#core/comparison/comparison.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { GroupBodies } from '../../components/group-bodies.tsx';
import { ScenarioName } from '../../components/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { Term } from '../../components/term.tsx';
import { formatCount } from '../../format/format-count.ts';
import { formatNumber } from '../../format/format-number.ts';

interface BandwidthTableProps {
  scenarios: ScenarioBandwidth[];
  userAgents: string[];
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  styles: Map<string, ScenarioStyle>;
}

/** How the User Agents of each Scenario shared the way to them. */
export function BandwidthTable({ scenarios, userAgents, compared, styles }: BandwidthTableProps) {
  return (
    <Table.ScrollContainer minWidth={600}>
      <Table aria-label="Bandwidth share and fairness by Scenario">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Term of="scenario">Scenario</Term>
            </Table.Th>
            {userAgents.map((name) => (
              <Table.Th key={name} className="numeric">
                <Term of="bandwidthShare">{name}</Term>
              </Table.Th>
            ))}
            <Table.Th className="numeric">
              <Term of="fairness">Fairness</Term>
            </Table.Th>
            {hasWeights(scenarios) && (
              <Table.Th className="numeric">
                <Term of="weightedFairness">by class weight</Term>
              </Table.Th>
            )}
            <Table.Th className="numeric">
              <Term of="leastToMost">Least to most</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="round">Rounds</Term>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <GroupBodies
          groups={compared.groups}
          items={scenarios}
          scenarioOf={({ scenario }) => scenario}
          columns={4 + userAgents.length + (hasWeights(scenarios) ? 1 : 0)}
        >
          {(scenario) => (
            <Table.Tr key={scenario.scenario}>
              <Table.Th scope="row">
                <ScenarioName
                  name={scenario.scenario}
                  style={styles.get(scenario.scenario)}
                  isBaseline={isBaseline(compared, scenario.scenario)}
                />
              </Table.Th>
              {userAgents.map((name) => (
                <Table.Td key={name} className="numeric">
                  <MeanValue
                    estimate={scenario.shares.find((share) => share.userAgent === name)?.estimate ?? null}
                    format={formatShare}
                    unit={'\u00A0%'}
                  />
                </Table.Td>
              ))}
              <Table.Td className="numeric">
                <MeanValue estimate={scenario.fairness} format={formatIndex} />
              </Table.Td>
              {hasWeights(scenarios) && (
                <Table.Td className="numeric">
                  <MeanValue
                    estimate={scenario.weightedFairness}
                    format={formatIndex}
                    absence={scenario.fairness ? 'In this Scenario, not every User Agent has a class.' : undefined}
                  />
                </Table.Td>
              )}
              <Table.Td className="numeric">
                <MeanValue estimate={scenario.leastToMost} format={formatIndex} />
              </Table.Td>
              <Table.Td className="numeric">
                <Rounds scenario={scenario} />
              </Table.Td>
            </Table.Tr>
          )}
        </GroupBodies>
      </Table>
    </Table.ScrollContainer>
  );
}

const formatIndex = (value: number) => formatNumber(value, 3);
const formatShare = (ratio: number) => formatNumber(100 * ratio, 1);
const hasWeights = (scenarios: ScenarioBandwidth[]) =>
  scenarios.some(({ weightedFairness }) => weightedFairness !== null);

interface MeanValueProps {
  estimate: Estimate | null;
  format: (value: number) => string;
  unit?: string;
  absence?: string | undefined;
}

function MeanValue({
  estimate,
  format,
  unit = '',
  absence = 'No counted Round has the packets of all User Agents.',
}: MeanValueProps) {
  if (!estimate) return <AbsentValue reason={absence} />;
  return `${format(estimate.mean)} ± ${estimate.halfWidth === null ? '—' : format(estimate.halfWidth)}${unit}`;
}

function Rounds({ scenario: { roundsCounted, roundsLeftOut, roundsWithDrops } }: { scenario: ScenarioBandwidth }) {
  return (
    <>
      {formatNumber(roundsCounted)}
      {roundsLeftOut > 0 && (
        <Text size="xs" c="dimmed">
          without {formatCount(roundsLeftOut, 'Round')} not fully captured
        </Text>
      )}
      {roundsWithDrops > 0 && (
        <Text size="xs" c="var(--mantine-color-error)">
          packets dropped in {formatNumber(roundsWithDrops)}
        </Text>
      )}
    </>
  );
}

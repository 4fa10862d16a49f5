import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isBaseline } from '#core/comparison/compared-group.ts';
import { type ScenarioWire, type WireFigure, wireFigureIds, wireFigures } from '#core/comparison/wire-comparison.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { wireQuery } from '../../api/queries.ts';
import { useIsOffline } from '../../app/report-place.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ChartFigure } from '../../components/chart/chart-figure.tsx';
import { Defined } from '../../components/defined.tsx';
import { GroupBodies } from '../../components/group-bodies.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { ScenarioName } from '../../components/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { colourUsers } from '../../components/user-colours.ts';
import { formatCount } from '../../format/format-count.ts';
import { formatNumber } from '../../format/format-number.ts';
import { FigureSwitch } from './figure-switch.tsx';
import { wireFigure } from './figures/wire-figure.ts';
import { RoundTimeline } from './round-timeline.tsx';
import type { View } from './use-view.ts';

interface WireSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
  view: View;
  changeView: (change: Partial<View>) => void;
}

/** What the Visits of each Scenario cost on the wire, and one Round over time. Not there without packets; Method says why. */
export function WireSection({ comparison, styles, view, changeView }: WireSectionProps) {
  const { runId, userAgents, noCapture } = comparison;
  const query = useQuery({ ...wireQuery(runId), enabled: noCapture === null });
  const isOffline = useIsOffline();
  const colours = useMemo(() => colourUsers(userAgents), [userAgents]);
  if (noCapture !== null || query.data?.kind === 'absent') return null;
  return (
    <Section id="wire" title="On the wire">
      <QueryContent query={query} what="The figures of the wire">
        {(wire) =>
          wire.kind === 'measured' && <WireContent scenarios={wire.scenarios} compared={comparison} styles={styles} />
        }
      </QueryContent>
      {!isOffline && <RoundTimeline comparison={comparison} colours={colours} view={view} changeView={changeView} />}
    </Section>
  );
}

interface WireContentProps {
  scenarios: ScenarioWire[];
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  styles: Map<string, ScenarioStyle>;
}

function WireContent({ scenarios, compared, styles }: WireContentProps) {
  const [chosen, choose] = useState<WireFigure>('packets');
  const figure = useMemo(() => wireFigure(scenarios, { figure: chosen, styles }), [scenarios, chosen, styles]);
  const leftOut = scenarios.reduce((total, scenario) => total + scenario.roundsLeftOut, 0);
  return (
    <>
      <Table.ScrollContainer minWidth={860}>
        <Table aria-label="The wire by Scenario">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Per Visit</Table.Th>
              {wireFigureIds.map((id) => (
                <Table.Th key={id} className="numeric">
                  <Defined definition={wireFigures[id].definition}>{wireFigures[id].label}</Defined>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <GroupBodies
            groups={compared.groups}
            items={scenarios}
            scenarioOf={({ scenario }) => scenario}
            columns={1 + wireFigureIds.length}
          >
            {({ scenario, figures }) => (
              <Table.Tr key={scenario}>
                <Table.Th scope="row">
                  <ScenarioName
                    name={scenario}
                    style={styles.get(scenario)}
                    isBaseline={isBaseline(compared, scenario)}
                  />
                </Table.Th>
                {wireFigureIds.map((id) => (
                  <Table.Td key={id} className="numeric">
                    <WireValue estimate={figures[id]} isCaptured={figures.packets !== null} />
                  </Table.Td>
                ))}
              </Table.Tr>
            )}
          </GroupBodies>
        </Table>
      </Table.ScrollContainer>
      {leftOut > 0 && (
        <Text size="xs" c="dimmed">
          Without {formatCount(leftOut, 'Round')} in which not every Pass was captured.
        </Text>
      )}
      <ChartFigure
        figure={figure}
        heightPx={260}
        legend={
          <FigureSwitch
            label="Figure of the wire"
            chosen={chosen}
            choose={choose}
            figures={wireFigureIds.map((id) => ({ value: id, label: wireFigures[id].label }))}
          />
        }
      />
    </>
  );
}

function WireValue({ estimate, isCaptured }: { estimate: ScenarioWire['figures'][WireFigure]; isCaptured: boolean }) {
  if (!estimate)
    return (
      <AbsentValue
        reason={
          isCaptured
            ? 'The Captures of this Scenario do not have this figure.'
            : 'No Round of this Scenario was fully captured.'
        }
      />
    );
  const decimals = Math.abs(estimate.mean) < 100 ? 1 : 0;
  return `${formatNumber(estimate.mean, decimals)} ± ${estimate.halfWidth === null ? '—' : formatNumber(estimate.halfWidth, decimals)}`;
}

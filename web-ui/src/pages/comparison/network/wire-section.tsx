import { fewDecimals } from '#core/statistics/reads-as-zero.ts';
import { Text, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { liesWithin } from '#core/comparison/findings/state-findings.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import {
  wireFigureIds,
  wireFigures,
  type ScenarioWire,
  type WireFigure,
} from '#core/comparison/network/compare-wire.ts';
import { wireQuery } from '../../../api/queries.ts';
import { useIsAlone } from '../../../components/report-place.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { colourUsers } from '../../../components/scenario/series-colours.ts';
import { Defined } from '../../../components/terms/term.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Folded } from '../../../components/folded.tsx';
import { Section } from '../../../components/section.tsx';
import { formatCount, formatMean } from '../../../format/format-numbers.ts';
import { FigureSwitch } from './figure-switch.tsx';
import { RoundTimeline } from './round-timeline.tsx';
import { ScenarioFigures } from './scenario-figures.tsx';
import type { View } from '../use-view.ts';
import { wireFigure } from '../figures/interval-figures.ts';

const tolerance = 0.01;

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
  const isAlone = useIsAlone();
  const colours = useMemo(() => colourUsers(userAgents), [userAgents]);
  if (noCapture !== null || query.data?.kind === 'absent') return null;
  return (
    <Section id="wire" title="On the wire">
      <QueryContent query={query} what="The figures of the wire">
        {(wire) =>
          wire.kind === 'measured' && <WireContent scenarios={wire.scenarios} compared={comparison} styles={styles} />
        }
      </QueryContent>
      {!isAlone && <RoundTimeline comparison={comparison} colours={colours} view={view} changeView={changeView} />}
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
      <ScenarioFigures
        label="The wire by Scenario"
        first="Per Visit"
        rows={scenarios}
        columns={wireFigureIds.map((id) => ({
          name: id,
          heading: <Defined definition={wireFigures[id].definition}>{wireFigures[id].label}</Defined>,
          cell: ({ figures }: ScenarioWire) => (
            <WireValue estimate={figures[id]} isCaptured={figures.packets !== null} />
          ),
        }))}
        compared={compared}
        styles={styles}
        minWidthPx={860}
      />
      {leftOut > 0 && (
        <Text size="xs" c="dimmed">
          Without {formatCount(leftOut, 'Round')} in which not every Pass was captured.{' '}
          {scenarios.map(({ scenario, shortfall }) => shortfall && `${scenario}: ${shortfall} `)}
        </Text>
      )}
      <Folded summary="As bars">
        <FigureSwitch
          label="Figure of the wire"
          chosen={chosen}
          choose={choose}
          figures={wireFigureIds.map((id) => ({ value: id, label: wireFigures[id].label }))}
        />
        <FoldedFigure key={chosen} sentence={stateSameWire(scenarios, chosen)}>
          <ChartFigure figure={figure} heightPx={260} />
        </FoldedFigure>
      </Folded>
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
  return formatMean(estimate, fewDecimals(estimate.mean));
}

/** That a figure of the wire is the same in every Scenario, where all intervals lie within 1 % of their middle. Null where a figure has more to show. */
export function stateSameWire(scenarios: readonly ScenarioWire[], figure: WireFigure): string | null {
  const estimates = scenarios.flatMap(({ figures }) => figures[figure] ?? []);
  if (estimates.length < 2 || estimates.length < scenarios.length) return null;
  const means = estimates.map(({ mean }) => mean);
  const middle = (Math.min(...means) + Math.max(...means)) / 2;
  const margin = tolerance * Math.abs(middle);
  if (!estimates.every((estimate) => liesWithin(estimate, { low: middle - margin, high: middle + margin })))
    return null;
  const { label } = wireFigures[figure];
  return middle === 0
    ? `${label}: none in any Scenario.`
    : `${label}: the same in every Scenario, all intervals within 1 %.`;
}

interface FoldedFigureProps {
  /** What the figure would show, where that is nothing; null where it shows something. */
  sentence: string | null;
  children: ReactNode;
}

/** A figure or, where it shows nothing, the sentence that says so; the figure then comes on request. */
function FoldedFigure({ sentence, children }: FoldedFigureProps) {
  const [isOpen, setOpen] = useState(false);
  if (sentence === null) return children;
  return (
    <>
      <Text size="sm">
        {sentence}{' '}
        <Button
          size="compact-xs"
          variant="subtle"
          className="no-print"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide figure' : 'Show figure'}
        </Button>
      </Text>
      {isOpen && children}
    </>
  );
}

import { Button, Group, NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import { arrangeWithReduction, measuresOf } from '#web-ui/src/figures/arrange-figure.ts';
import { completeChoice, firstChoices, type CompleteChoice } from '#web-ui/src/figures/complete-choice.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { FigureDesign, Measurements } from '#core/record/measurements.ts';
import { measurementsQuery } from '../../../api/queries.ts';
import { useIsOffline } from '../../../components/report-place.ts';
import { QueryContent } from '../../../components/query-content.tsx';
import { Section } from '../../../components/section.tsx';
import { formatNumber } from '../../../format/format-numbers.ts';
import type { View } from '../use-view.ts';
import { ChoiceControls } from './choice-controls.tsx';
import { nameOrigin } from '#core/metrics/latency-origin.ts';
import { formatDecimals, labelMeasure, labelPlace } from '../../../figures/name-figure.ts';
import { joinAlike, type ArrangedFigure, type FigureSeries } from '#web-ui/src/figures/arranged-figure.ts';
import { measures } from '#core/metrics/measures.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { Folded } from '../../../components/folded.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import { asBar, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { nameSet } from '../../../figures/plot-arranged.ts';
import { belowRatio, drawArranged } from '../../../figures/draw-arranged.ts';
import { keyOf, labelSeries, styleSeries } from '../../../figures/style-series.ts';
import { formatConfidence } from '../../../format/format-ratios.ts';

const panelHeightPx = 300;
const wholeHeightPx = 190;

interface SeriesLegendProps {
  arranged: ArrangedFigure;
  /** Whose series it has. */
  panels: ArrangedFigure['panels'];
  design: FigureDesign;
  styles: Map<string, ScenarioStyle>;
}

interface FigureSectionProps {
  comparison: Comparison;
  view: View;
  changeView: (change: Partial<View>) => void;
}

/** Any metric by any variable: as the Evaluation declares, as its design suggests, or as chosen here. */
export function FigureSection({
  comparison: { runId, primaryMetric, countedFrom },
  view,
  changeView,
}: FigureSectionProps) {
  const isOffline = useIsOffline();
  const query = useQuery({
    ...measurementsQuery(runId, { measures: isOffline ? null : [primaryMetric], from: countedFrom }),
    enabled: !isOffline,
  });
  // A report that was written without them has none.
  if (isOffline && query.data === undefined) return null;
  if (query.data) return <ChosenFigure runId={runId} first={query.data} view={view} changeView={changeView} />;
  return (
    <Section id="figure" title={nameLatency(primaryMetric, countedFrom)}>
      <QueryContent query={query} what="The figure">
        {() => null}
      </QueryContent>
    </Section>
  );
}

interface ChosenFigureProps {
  runId: string;
  first: Measurements;
  view: View;
  changeView: (change: Partial<View>) => void;
}

function ChosenFigure({ runId, first, view: { figure }, changeView }: ChosenFigureProps) {
  const isOffline = useIsOffline();
  const { design, available, countedFrom: from = 'navigation-start' } = first;
  const declared = useMemo(() => firstChoices(design), [design]);
  const own = figure.kind === 'own' ? figure.choice : null;
  const choice = useMemo(
    () =>
      own === null
        ? (declared[figure.kind === 'declared' ? figure.index : 0] ?? declared[0]!)
        : completeChoice(design, own),
    [own, declared, figure, design],
  );
  const [isOpen, setOpen] = useState(own !== null);
  const query = useQuery(measurementsQuery(runId, { measures: isOffline ? null : measuresOf(choice), from }));
  const nameOf = ({ title, y, statistic, x }: CompleteChoice) =>
    title ?? `${labelMeasure(y, { statistic, from })}${x === null ? '' : ` by ${x}`}`;
  const names = declared.map((each, index) => ({ value: String(index), label: nameOf(each) }));
  return (
    <Section
      id="figure"
      title={nameOf(choice)}
      beside={
        <Group gap="sm" className="no-print">
          {(names.length > 1 || own !== null) && (
            <NativeSelect
              size="xs"
              aria-label="Declared figure"
              value={own === null ? String(declared.indexOf(choice)) : 'own'}
              onChange={({ currentTarget: { value } }) =>
                changeView({ figure: { kind: 'declared', index: value === 'own' ? 0 : Number(value) } })
              }
              data={[...names, ...(own === null ? [] : [{ value: 'own', label: 'own choice' }])]}
            />
          )}
          <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide choices' : 'Change figure'}
          </Button>
        </Group>
      }
    >
      {isOpen && (
        <ChoiceControls
          choice={choice}
          design={design}
          available={available}
          onChange={(next) => changeView({ figure: { kind: 'own', choice: next } })}
        />
      )}
      <QueryContent query={query} what="The figure">
        {(measurements) => <ArrangedPanels measurements={measurements} choice={choice} />}
      </QueryContent>
    </Section>
  );
}

function ArrangedPanels({ measurements, choice }: { measurements: Measurements; choice: CompleteChoice }) {
  const arranged = useMemo(() => arrangeWithReduction(measurements, choice), [measurements, choice]);
  return <FigurePanels arranged={arranged} measurements={measurements} />;
}

/** The charts of a figure, with the marks of its series above them and what its numbers are below. */
function FigurePanels({ arranged, measurements }: { arranged: ArrangedFigure; measurements: Measurements }) {
  const { design, leftOut } = measurements;
  const figures = useMemo(() => drawArranged(arranged, design), [arranged, design]);
  const styles = useMemo(() => styleSeries(arranged, design), [arranged, design]);
  const isSingle = figures.length === 1;
  const hasAlike = arranged.panels.some((panel) => joinAlike(arranged, panel).some(({ length }) => length > 1));
  const hasOwnLegends = isSingle || hasAlike;
  const legendOf = (panels: ArrangedFigure['panels']) => (
    <SeriesLegend arranged={arranged} panels={panels} design={design} styles={styles} />
  );
  if (figures.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {leftOut ??
          (arranged.leftOutPoints > 0
            ? 'A quantile of 95 % needs at least 100 Visits of a page. Choose another statistic, or measure more Rounds.'
            : `No Visit has a value of ${measures[arranged.choice.y].label}. Choose another metric.`)}
      </Text>
    );
  return (
    <>
      {!hasOwnLegends && legendOf(arranged.panels)}
      <SimpleGrid cols={{ base: 1, md: isSingle ? 1 : 2 }} spacing="md">
        {figures.map((figure, index) => (
          <div key={figure.title}>
            {!isSingle && (
              <Text size="sm" fw={600}>
                {labelPlace(arranged.choice.panels, arranged.panels[index]!.values, design)}
              </Text>
            )}
            <ChartFigure
              figure={figure}
              heightPx={(isSingle ? wholeHeightPx : panelHeightPx) * (arranged.below ? belowRatio : 1)}
              legend={hasOwnLegends && legendOf([arranged.panels[index]!])}
            />
          </div>
        ))}
      </SimpleGrid>
      <Folded summary="What this shows">
        <Text size="xs" c="dimmed">
          {explainFigure(arranged, design)}
        </Text>
      </Folded>
    </>
  );
}

function SeriesLegend({ arranged, panels, design, styles }: SeriesLegendProps) {
  const { choice } = arranged;
  // The rows of a heat map have their names.
  if (choice.series.length === 0 || choice.kind === 'heat') return null;
  const styleOf = (series: FigureSeries) => styles.get(keyOf(series))!;
  // One thing has one name and look in all panels, where each has a Scenario of its own for it.
  const keyIn = (series: FigureSeries) => JSON.stringify([labelSeries(arranged, series, design), styleOf(series)]);
  const all = new Map<string, FigureSeries[]>();
  for (const set of panels.flatMap((panel) => joinAlike(arranged, panel))) all.set(keyIn(set[0]!), set);
  // Below, each has its own line.
  for (const series of [...all.values()].flat())
    if (arranged.below && !all.has(keyIn(series))) all.set(keyIn(series), [series]);
  const baselines = new Set(design.scenarios.filter(({ isBaseline }) => isBaseline).map(({ name }) => name));
  const isOfScenarios = choice.series.length === 1 && choice.series[0] === 'scenario';
  return (
    <Group gap="4px 20px">
      {[...all].map(([key, set]) => (
        <ScenarioName
          key={key}
          name={set.length === 1 ? labelSeries(arranged, set[0]!, design) : nameSet(arranged, set, design)}
          style={choice.kind === 'bars' ? asBar(styleOf(set[0]!)) : styleOf(set[0]!)}
          isBaseline={set.length === 1 && isOfScenarios && baselines.has(String(set[0]!.values[0]))}
        />
      ))}
    </Group>
  );
}

/** What the numbers of a figure are, in a few sentences. */
export function explainFigure(arranged: ArrangedFigure, design: FigureDesign): string {
  const { choice, confidence, leftOutPoints, countedFrom } = arranged;
  const { definition } = measures[choice.y];
  return [
    definition,
    nameOrigin(choice.y, countedFrom) && 'The time before the first request is left out here.',
    explainStatistic(choice, formatConfidence(confidence)),
    arranged.below &&
      'Below is the reduction against the baseline, paired by Round, of geometric means over pages. An interval that crosses zero is undecided.',
    choice.kind === 'scatter' ? explainLines(arranged, design) : '',
    leftOutPoints > 0
      ? `${leftOutPoints} ${leftOutPoints === 1 ? 'point is left out: its pages' : 'points are left out: their pages'} have fewer than 100 Visits.`
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function explainStatistic({ kind, statistic }: ArrangedFigure['choice'], confidence: string): string {
  if (kind === 'distribution') return 'All Visits together: the share of Visits up to each value.';
  const intervals = kind === 'heat' ? 'In brackets' : 'Bars';
  switch (statistic) {
    case 'mean':
      return `Means over pages and Rounds, of pages that every Scenario has. ${intervals} are ${confidence} intervals over Rounds.`;
    case 'reduction':
      return `Against the baseline, paired by Round, of geometric means over pages. ${intervals} are ${confidence} intervals over Rounds.${kind === 'heat' ? ' Blue is less, orange more; what has no colour is undecided.' : ''}`;
    default:
      return 'Of the Visits of each page, averaged over pages.';
  }
}

function explainLines({ choice, panels }: ArrangedFigure, design: FigureDesign): string {
  const lines = panels.flatMap(({ values, series }) =>
    series.flatMap(({ values: own, fit }) => {
      if (!fit) return [];
      const place = [labelPlace(choice.panels, values, design), labelPlace(choice.series, own, design)];
      const name = place.filter((_, index) => (index === 0 ? choice.panels : choice.series).length > 0).join(', ');
      const slope = `slope ${formatDecimals(fit.slope)}`;
      const interval = fit.slopeHalfWidth === null ? '' : ` ± ${formatDecimals(fit.slopeHalfWidth)}`;
      const explained = fit.rSquared === null ? '' : `, R² ${formatNumber(fit.rSquared, 2)}`;
      return [`${name}${name && ': '}${slope}${interval}${explained}`];
    }),
  );
  return lines.length === 0 ? '' : `Least-squares lines through the pages: ${lines.join('; ')}.`;
}

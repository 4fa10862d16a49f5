import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import { measuresOf } from '#core/figures/arrange-figure.ts';
import { arrangeWithReduction } from '#core/figures/arrange-with-reduction.ts';
import { completeChoice } from '#core/figures/complete-choice.ts';
import { firstChoices } from '#core/figures/first-choice.ts';
import type { Measurements } from '#core/figures/measurements.ts';
import { measurementsQuery } from '../../../api/queries.ts';
import { useIsOffline } from '../../../components/report-place.ts';
import { QueryContent } from '../../../components/query-content.tsx';
import { Section } from '../../../components/section.tsx';
import type { View } from '../use-view.ts';
import { ChoiceControls } from './choice-controls.tsx';
import { FigurePanels } from './figure-panels.tsx';
import { labelMeasure } from './format-measure.ts';

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
  return (
    <Section id="figure" title="Figure">
      <QueryContent query={query} what="The figure">
        {(measurements) => <ChosenFigure runId={runId} first={measurements} view={view} changeView={changeView} />}
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
  const names = declared.map(({ title, y, statistic, x }, index) => ({
    value: String(index),
    label: title ?? `${labelMeasure(y, { statistic, from })}${x === null ? '' : ` by ${x}`}`,
  }));
  return (
    <Stack gap="xs">
      <Group gap="sm" className="no-print" justify="space-between">
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
    </Stack>
  );
}

function ArrangedPanels({
  measurements,
  choice,
}: {
  measurements: Measurements;
  choice: ReturnType<typeof completeChoice>;
}) {
  const arranged = useMemo(() => arrangeWithReduction(measurements, choice), [measurements, choice]);
  return <FigurePanels arranged={arranged} measurements={measurements} />;
}

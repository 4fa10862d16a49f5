import { Checkbox, Group, MultiSelect, NativeSelect } from '@mantine/core';
import {
  figureKinds,
  figureStatistics,
  isNumeric,
  listDimensions,
  type FigureChoice,
  type FigureKind,
  type FigureStatistic,
  type DimensionValue,
} from '#core/evaluation/figures/figure-choice.ts';
import type { CompleteChoice } from '#web-ui/src/figures/complete-choice.ts';
import type { FigureDesign } from '#core/record/measurements.ts';
import { measures, type MeasureId } from '#core/metrics/measures.ts';
import { kindLabels, statisticLabels } from '../../../components/terms/figure-words.ts';
import { labelDimension, labelValue } from '../../../figures/name-figure.ts';

interface ChoiceControlsProps {
  choice: CompleteChoice;
  design: FigureDesign;
  available: readonly MeasureId[];
  onChange: (choice: FigureChoice) => void;
}

/** What is drawn, by what, and how. */
export function ChoiceControls({ choice, design, available, onChange }: ChoiceControlsProps) {
  const dimensions = listDimensions(design);
  const varied = [...dimensions].filter(([, values]) => values.length > 1);
  const names = varied.map(([name]) => name);
  const { kind, statistic, x, y } = choice;
  const offered = available.includes(y) ? available : [y, ...available];
  const change = (part: Partial<CompleteChoice>) => onChange(openChoice({ ...choice, ...part }));
  const horizontal =
    kind === 'scatter' ? [...varied.flatMap(([name, values]) => (isNumeric(values) ? name : [])), ...offered] : names;
  const isNumericX =
    kind === 'distribution' ||
    kind === 'scatter' ||
    (kind === 'line' && x !== null && isNumeric(dimensions.get(x) ?? []));
  return (
    <Group gap="xs" align="end" className="no-print" role="group" aria-label="Choices of the figure">
      <NativeSelect
        size="xs"
        label="Metric"
        value={y}
        onChange={({ currentTarget: { value } }) => change({ y: value as MeasureId })}
        data={offered.map((id) => ({ value: id, label: measures[id].label }))}
      />
      <NativeSelect
        size="xs"
        label="As"
        value={kind}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...openChoice({ ...choice, kind: value as FigureKind, statistic: 'mean', x: null }),
            logX: undefined,
          })
        }
        data={figureKinds.map((id) => ({ value: id, label: kindLabels[id] }))}
      />
      {kind !== 'distribution' && (
        <NativeSelect
          size="xs"
          label="Statistic"
          value={statistic}
          onChange={({ currentTarget: { value } }) => change({ statistic: value as FigureStatistic, logY: false })}
          data={figureStatistics
            .filter((id) => kind !== 'scatter' || id !== 'reduction')
            .map((id) => ({ value: id, label: statisticLabels[id] }))}
        />
      )}
      {x !== null && (
        <NativeSelect
          size="xs"
          label="By"
          value={x}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...openChoice({ ...choice, x: value }), logX: undefined })
          }
          data={[...new Set([x, ...horizontal])].map((name) => ({ value: name, label: labelHorizontal(name) }))}
        />
      )}
      <DimensionSelect
        label={kind === 'bars' ? 'Bars for' : kind === 'heat' ? 'Rows for' : 'Series for'}
        most={3}
        chosen={choice.series}
        names={names.filter((name) => name !== x && !choice.panels.includes(name))}
        onChange={(series) => change({ series })}
      />
      <DimensionSelect
        label="Panels for"
        most={2}
        chosen={choice.panels}
        names={names.filter((name) => name !== x && !choice.series.includes(name))}
        onChange={(panels) => change({ panels })}
      />
      <MultiSelect
        size="xs"
        w={200}
        label="Only"
        placeholder={Object.keys(choice.only).length === 0 ? 'all' : ''}
        searchable
        value={keysOf(choice.only)}
        onChange={(keys) => change({ only: readKeys(keys) })}
        data={offerValues(varied, design)}
      />
      {isNumericX && (
        <Checkbox
          size="xs"
          pb={7}
          label="log x"
          checked={choice.logX}
          onChange={({ currentTarget: { checked } }) => change({ logX: checked })}
        />
      )}
      {kind !== 'distribution' && statistic !== 'reduction' && (
        <Checkbox
          size="xs"
          pb={7}
          label="log y"
          checked={choice.logY}
          onChange={({ currentTarget: { checked } }) => change({ logY: checked })}
        />
      )}
    </Group>
  );
}

interface DimensionSelectProps {
  label: string;
  most: number;
  chosen: string[];
  names: string[];
  onChange: (names: string[]) => void;
}

function DimensionSelect({ label, most, chosen, names, onChange }: DimensionSelectProps) {
  return (
    <MultiSelect
      size="xs"
      w={190}
      label={label}
      placeholder={chosen.length === 0 ? 'none' : ''}
      maxValues={most}
      value={chosen}
      onChange={onChange}
      data={[...new Set([...chosen, ...names])].map((name) => ({ value: name, label: labelDimension(name) }))}
    />
  );
}

function labelHorizontal(name: string): string {
  return Object.hasOwn(measures, name) ? measures[name as MeasureId].label : labelDimension(name);
}

/** Of a dimension with more values, single ones are not offered: the list would be too long. */
const mostOffered = 60;

/** As it is kept in the address. The title was of what was drawn before; an axis that is null is open again. */
export function openChoice({ kind, y, statistic, x, series, panels, only, logX, logY }: CompleteChoice): FigureChoice {
  return {
    ...{ kind, y, statistic, series, panels, logX, logY },
    ...(x !== null && { x }),
    ...(Object.keys(only).length > 0 && { only }),
  };
}

/** The values that are drawn alone, of their keys. */
export function readKeys(keys: readonly string[]): CompleteChoice['only'] {
  const pairs = keys.map((key) => JSON.parse(key) as [string, string | number]);
  return Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, own]) => [name, own.map(([, value]) => value)]),
  );
}

/** A key for each value that is drawn alone. */
export function keysOf(only: CompleteChoice['only']): string[] {
  return Object.entries(only).flatMap(([name, values]) => values.map((value) => keyOf(name, value)));
}

/** The values that one can draw alone, by dimension. */
export function offerValues(
  dimensions: readonly (readonly [name: string, values: readonly DimensionValue[]])[],
  design: FigureDesign,
): { group: string; items: { value: string; label: string }[] }[] {
  return dimensions
    .filter(([, values]) => values.length <= mostOffered)
    .map(([name, values]) => ({
      group: labelDimension(name),
      items: values.map((value) => ({ value: keyOf(name, value), label: labelValue(name, value, design) })),
    }));
}

function keyOf(name: string, value: DimensionValue): string {
  return JSON.stringify([name, value]);
}

import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { formatLabels } from '#core/protocol/api/run-labels.ts';
import type { ArrangedTrend, TrendAxis, TrendPlace } from '#core/trend/arrange-trend.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Defined } from '../../../components/terms/term.tsx';
import { formatTime } from '../../../format/format-times.ts';
import { describeMeasured, measure, nameAxis, type TrendQuantity } from './trend-figure.ts';

interface TrendTableProps {
  arranged: ArrangedTrend;
  axis: TrendAxis;
  quantity: TrendQuantity;
  scenarios: ArrangedTrend['scenarios'];
  styles: Map<string, ScenarioStyle>;
}

/** The same as the figure, a line for each Run, the newest first. Each leads to its Comparison. */
export function TrendTable({ arranged, axis, quantity, scenarios, styles }: TrendTableProps) {
  const rows = useMemo(
    () => arranged.places.toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt)),
    [arranged],
  );
  const columns = useMemo(
    (): DataColumn<TrendPlace>[] => [
      {
        name: 'Run',
        isRowHeader: true,
        sortBy: ({ runId }) => Number(runId),
        cell: ({ runId }) => (
          <Anchor component={Link} to={`/runs/${runId}/comparison`} inherit underline="always">
            {runId}
          </Anchor>
        ),
      },
      {
        name: 'Started',
        style: { whiteSpace: 'nowrap' },
        sortBy: ({ startedAt }) => startedAt,
        cell: ({ startedAt }) => formatTime(startedAt).slice(0, 16),
      },
      ...(axis === 'engine'
        ? [
            {
              name: nameAxis(axis),
              heading: 'Engine version',
              sortBy: ({ value }: TrendPlace) => value,
              cell: ({ value }: TrendPlace) => value || <AbsentValue reason="It was not recorded." />,
            },
          ]
        : []),
      {
        name: 'Labels',
        sortBy: ({ labels }) => formatLabels(labels),
        cell: ({ labels }) => formatLabels(labels) || <AbsentValue reason="The Run has none." />,
      },
      {
        name: 'Settings',
        heading: (
          <Defined definition="Runs with the same letter measured with the same settings. Names, descriptions and figures do not count.">
            Settings
          </Defined>
        ),
        sortBy: ({ settings }) => settings,
        cell: ({ settings, hasNewestSettings }) => (hasNewestSettings ? settings : `${settings} ≠ newest`),
      },
      ...(arranged.places.some(({ hasNewestDefinitions }) => !hasNewestDefinitions)
        ? [
            {
              name: 'Metric definitions',
              sortBy: ({ definitions }: TrendPlace) => definitions,
              cell: ({ definitions, hasNewestDefinitions }: TrendPlace) => {
                if (definitions === '') return <AbsentValue reason="Its Visits were deleted before this was kept." />;
                return hasNewestDefinitions ? definitions : `${definitions} ≠ newest`;
              },
            },
          ]
        : []),
      ...scenarios.map(({ name, baseline }): DataColumn<TrendPlace> => ({
        name: `Scenario ${name}`,
        heading: <ScenarioName name={name} style={styles.get(name)} isBaseline={baseline} />,
        isNumeric: true,
        sortBy: (place) => measure(place.scenarios.get(name), quantity)?.y ?? null,
        cell: (place) => <Measured place={place} scenario={name} quantity={quantity} />,
      })),
    ],
    [arranged, axis, quantity, scenarios, styles],
  );
  return (
    <DataTable
      label="Runs of the trend"
      rows={rows}
      columns={columns}
      rowKey={({ runId }) => runId}
      minWidthPx={460 + 190 * scenarios.length}
    />
  );
}

function Measured({ place, scenario, quantity }: { place: TrendPlace; scenario: string; quantity: TrendQuantity }) {
  const measured = measure(place.scenarios.get(scenario), quantity);
  if (measured === null) return <AbsentValue reason="The Run has no value of this Scenario." />;
  return describeMeasured(measured, quantity);
}

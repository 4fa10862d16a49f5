import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { ReplaysOfRun as Replays } from '#core/protocol/api/replay-of-visit.ts';
import { replaysQuery } from '../../api/site-requests.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatNumber } from '../../format/format-numbers.ts';
import { formatPercent } from '../../format/format-ratios.ts';

type Row = Replays['replays'][number];
type Comparison = Extract<Row['replay'], { kind: 'compared' }>['comparison'];

/** How like their recordings the pages of Sites were, by the newest Visit of each. */
export function ReplaysOfRun({ runId, styles }: { runId: string; styles: Map<string, ScenarioStyle> }) {
  const query = useQuery(replaysQuery(runId));
  const columns = useMemo(() => listColumns(runId, styles), [runId, styles]);
  return (
    <Section title="Replays">
      <QueryContent query={query} what="The replays" skeleton={<RowsSkeleton rows={4} heightPx={32} />}>
        {({ replays, hasMore }) => (
          <>
            <Text size="sm" c="dimmed" mb="xs">
              The newest Visit of each page, User Agent and Scenario beside its recording
              {hasMore && `. The first ${replays.length} are shown`}.
            </Text>
            <DataTable
              label="Replays"
              rows={replays}
              columns={columns}
              rowKey={({ visitId }) => visitId}
              minWidthPx={760}
            />
          </>
        )}
      </QueryContent>
    </Section>
  );
}

function listColumns(runId: string, styles: Map<string, ScenarioStyle>): DataColumn<Row>[] {
  const count = (of: (comparison: Comparison) => number): Pick<DataColumn<Row>, 'isNumeric' | 'sortBy' | 'cell'> => ({
    isNumeric: true,
    sortBy: ({ replay }) => (replay.kind === 'absent' ? null : of(replay.comparison)),
    cell: ({ replay }) =>
      replay.kind === 'absent' ? <AbsentValue reason={`${replay.reason}.`} /> : formatNumber(of(replay.comparison)),
  });
  return [
    {
      name: 'Page',
      isRowHeader: true,
      sortBy: ({ url }) => url,
      cell: ({ url, visitId }) => (
        <Anchor component={Link} to={`/runs/${runId}/visits/${visitId}`} inherit style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Anchor>
      ),
    },
    { name: 'User Agent', sortBy: ({ userAgent }) => userAgent, cell: ({ userAgent }) => userAgent },
    {
      name: 'Scenario',
      sortBy: ({ scenario }) => scenario,
      cell: ({ scenario }) => <ScenarioName name={scenario} style={styles.get(scenario)} />,
    },
    {
      ...count(({ score }) => score),
      name: 'Like its recording',
      heading: <Term of="replayScore">Like its recording</Term>,
      cell: ({ replay }) =>
        replay.kind === 'absent' ? (
          <AbsentValue reason={`${replay.reason}.`} />
        ) : (
          formatPercent(replay.comparison.score)
        ),
    },
    { name: 'Not requested', ...count(({ missing }) => missing.length) },
    { name: 'Inexact', ...count(({ inexact }) => inexact.length) },
    { name: 'Not replayed', ...count(({ misses, unknownHosts }) => misses.length + unknownHosts.length) },
  ];
}

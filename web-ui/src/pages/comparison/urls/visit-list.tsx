import { Anchor, Group, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { LatencyId } from '#core/metrics/index.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { ListedVisit } from '#core/protocol/api/listed-visit.ts';
import { visitPagesQuery } from '../../../api/queries.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { NameSwitch } from '../../../components/name-switch.tsx';
import { NextPageButton } from '../../../components/next-page-button.tsx';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import { plainRows, VirtualRows } from '../../../components/virtual-rows.tsx';
import { formatCount } from '../../../format/format-numbers.ts';
import { formatMs, formatTime } from '../../../format/format-times.ts';

interface VisitListProps {
  runId: string;
  url: string;
  userAgent: string | null;
  scenarios: string[];
  metric: LatencyId;
  /** From when the latencies around the list count. Those of the list count from navigation start, as on the page of each Visit. */
  from: LatencyOrigin;
}

/** The Visits of one URL under one Scenario, a page at a time, each with a link to its page. */
export function VisitList({ runId, url, userAgent, scenarios, metric, from }: VisitListProps) {
  const [scenario, choose] = useState(scenarios[0]!);
  const query = useInfiniteQuery(visitPagesQuery({ runId, url, userAgent, scenario }));
  const visits = query.data?.pages.flatMap((page) => page.visits) ?? [];
  return (
    <div>
      <Group justify="space-between" className="no-print">
        <NameSwitch
          label="Scenario of the Visits"
          choices={scenarios.map((name) => ({ name, text: name }))}
          chosen={scenario}
          onChange={choose}
        />
        <Group gap="xs">
          <Text size="sm" c="dimmed" aria-live="polite">
            {formatCount(visits.length, 'Visit')}
            {query.hasNextPage ? ', and more' : ''}
          </Text>
          <NextPageButton query={query} isSmall>
            Load more
          </NextPageButton>
        </Group>
      </Group>
      {query.error && !query.isFetchNextPageError && (
        <ProblemAlert title="The Visits cannot be shown" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending ? (
        <Skeleton height={240} />
      ) : (
        <VisitTable runId={runId} visits={visits} metric={metric} from={from} />
      )}
    </div>
  );
}

type VisitTableProps = Pick<VisitListProps, 'runId' | 'metric' | 'from'> & { visits: ListedVisit[] };

function VisitTable({ runId, visits, metric, from }: VisitTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={scroller}
      style={{ maxHeight: 380, overflow: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label="Visits of the URL"
    >
      <Table stickyHeader aria-label="Visits" aria-rowcount={visits.length + 1} verticalSpacing={5}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className="numeric">Block</Table.Th>
            <Table.Th>User Agent</Table.Th>
            <Table.Th>Started</Table.Th>
            <Table.Th className="numeric">Latency{from === 'first-request' && ' from navigation start'}</Table.Th>
            <Table.Th>Remarks</Table.Th>
            <Table.Th>
              <VisuallyHidden>Link</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <VirtualRows
          rows={visits}
          rowHeightPx={33}
          columns={6}
          scroller={scroller}
          key={visits.length > plainRows ? 'virtual' : 'plain'}
        >
          {(visit) => (
            <Table.Tr key={visit.id}>
              <Table.Td className="numeric">{visit.block}</Table.Td>
              <Table.Td>{visit.userAgent}</Table.Td>
              <Table.Td>{formatTime(visit.startedAt)}</Table.Td>
              <Table.Td className="numeric">
                <Latency visit={visit} metric={metric} />
              </Table.Td>
              <Table.Td>{remarksOf(visit).join('; ')}</Table.Td>
              <Table.Td>
                <Anchor
                  component={Link}
                  to={`/runs/${runId}/visits/${visit.id}`}
                  size="sm"
                  aria-label={`Visit in Block ${visit.block} by ${visit.userAgent}`}
                >
                  Visit
                </Anchor>
              </Table.Td>
            </Table.Tr>
          )}
        </VirtualRows>
      </Table>
    </div>
  );
}

function Latency({ visit, metric }: { visit: ListedVisit; metric: LatencyId }) {
  const valueMs = visit[metric];
  if (valueMs === null)
    return (
      <AbsentValue
        reason={visit.status === 'failed' ? `Failed: ${visit.code ?? 'no code'}` : 'It has no value of this metric.'}
      />
    );
  return formatMs(valueMs);
}

/** The reasons for caution with one Visit. */
export function remarksOf({
  status,
  code,
  failedObjects,
  isSettled,
  isHidden,
  exclusionReason,
}: Pick<ListedVisit, 'status' | 'code' | 'failedObjects' | 'isSettled' | 'isHidden' | 'exclusionReason'>): string[] {
  return [
    ...(status === 'failed' ? [`failed: ${code ?? 'no code'}`] : []),
    ...(failedObjects !== null && failedObjects > 0 ? [formatCount(failedObjects, 'failed object')] : []),
    ...(isSettled === false ? ['never settled'] : []),
    ...(isHidden === true ? ['tab hidden'] : []),
    ...(exclusionReason === null ? [] : [`excluded: ${exclusionReason}`]),
  ];
}

import { Anchor, Table, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ListedVisit, VisitSort } from '#core/protocol/api/listed-visit.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import type { Sorting } from '../../components/list/use-sorting.ts';
import { SortButton } from '../../components/sort-button.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/terms/term.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatCount } from '../../format/format-count.ts';
import { formatMs } from '../../format/format-ms.ts';
import { formatTime } from '../../format/format-time.ts';
import { hostOf, pathOf } from './name-objects.ts';

interface VisitTableProps {
  visits: ListedVisit[];
  runId: string;
  styles: Map<string, ScenarioStyle>;
  sorting: Sorting;
}

/** Visits in the order that its headings choose, each a link to its page. */
export function VisitTable({ visits, runId, styles, sorting }: VisitTableProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null); // state, because rows in sight are known only once it is there
  const hosts = new Set(visits.map(({ url }) => hostOf(url)));
  return (
    <div
      ref={setScroller}
      style={{ overflow: 'auto', maxHeight: '74vh' }}
      tabIndex={0}
      role="region"
      aria-label="Visits"
    >
      <Table highlightOnHover stickyHeader miw={980} aria-label="Visits">
        <Table.Thead>
          <Table.Tr>
            <SortedHeading by="block" name="Block" sorting={sorting} isNumeric>
              <Term of="block">Block</Term>
            </SortedHeading>
            <SortedHeading by="scenario" name="Scenario" sorting={sorting}>
              <Term of="scenario">Scenario</Term>
            </SortedHeading>
            <SortedHeading by="user-agent" name="User Agent" sorting={sorting}>
              <Term of="userAgent">User Agent</Term>
            </SortedHeading>
            <SortedHeading by="url" name="URL" sorting={sorting} />
            <SortedHeading by="started" name="Started" sorting={sorting} />
            <SortedHeading by="state" name="State" sorting={sorting} />
            <SortedHeading by="base" name="Base" sorting={sorting} isNumeric>
              <Term metric="baseMs">Base</Term>
            </SortedHeading>
            <SortedHeading by="viewport" name="Viewport" sorting={sorting} isNumeric>
              <Term metric="viewportMs">Viewport</Term>
            </SortedHeading>
            <SortedHeading by="total" name="Total" sorting={sorting} isNumeric>
              <Term metric="totalMs">Total</Term>
            </SortedHeading>
          </Table.Tr>
        </Table.Thead>
        <VirtualRows rows={visits} rowHeightPx={39} columns={9} scroller={{ current: scroller }}>
          {(visit) => (
            <Table.Tr key={visit.id}>
              <Table.Td className="numeric">{visit.block}</Table.Td>
              <Table.Td>
                <ScenarioName name={visit.scenario} style={styles.get(visit.scenario)} />
              </Table.Td>
              <Table.Td>{visit.userAgent}</Table.Td>
              <Table.Td maw={280}>
                <Anchor
                  component={Link}
                  to={`/runs/${runId}/visits/${visit.id}`}
                  c="inherit"
                  inherit
                  truncate
                  display="block"
                  title={visit.url}
                >
                  {pathOf(visit.url)}
                  {hosts.size > 1 && (
                    <Text span inherit c="dimmed">
                      {' '}
                      {hostOf(visit.url)}
                    </Text>
                  )}
                </Anchor>
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatTime(visit.startedAt)}</Table.Td>
              <Table.Td>
                <StateDot state={visit.status === 'ok' ? 'good' : 'bad'} label={describeState(visit)} />
              </Table.Td>
              {([visit.baseMs, visit.viewportMs, visit.totalMs] as const).map((valueMs, index) => (
                <Table.Td key={index} className="numeric">
                  {valueMs === null ? (
                    <AbsentValue
                      reason={
                        visit.status === 'failed' ? 'The Visit failed.' : 'There is no value. The Visit shows why.'
                      }
                    />
                  ) : (
                    formatMs(valueMs)
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          )}
        </VirtualRows>
      </Table>
    </div>
  );
}

interface SortedHeadingProps {
  by: VisitSort;
  name: string;
  sorting: Sorting;
  isNumeric?: boolean;
  /** The name, unless given. */
  children?: ReactNode;
}

function SortedHeading({ by, name, sorting, isNumeric = false, children = name }: SortedHeadingProps) {
  const order = sorting.by === by ? sorting.order : 'none';
  return (
    <Table.Th className={isNumeric ? 'numeric' : undefined} aria-sort={order} style={{ whiteSpace: 'nowrap' }}>
      {children} <SortButton order={order} onClick={() => sorting.onSort(by)} label={`Sort by ${name}`} />
    </Table.Th>
  );
}

function describeState({ status, code, failedObjects, isSettled, isHidden, exclusionReason }: ListedVisit): string {
  const flags = [
    failedObjects !== null && failedObjects > 0 && formatCount(failedObjects, 'failed object'),
    isSettled === false && 'unsettled',
    isHidden === true && 'hidden',
    exclusionReason !== null && 'excluded',
  ].filter((flag) => flag !== false);
  return [status === 'failed' ? (code ?? 'failed') : 'ok', ...flags].join(', ');
}

import { Anchor, Table, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { ListedVisit } from '#core/protocol/api/listed-visit.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioName } from '../../components/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/term.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatCount } from '../../format/format-count.ts';
import { formatMs } from '../../format/format-ms.ts';
import { nameObjects } from './name-objects.ts';

interface VisitTableProps {
  visits: ListedVisit[];
  runId: string;
  styles: Map<string, ScenarioStyle>;
}

/** Visits by Block, each a link to its page. */
export function VisitTable({ visits, runId, styles }: VisitTableProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null); // state, because rows in sight are known only once it is there
  const names = useMemo(() => nameObjects(visits.map(({ url }) => url)), [visits]);
  return (
    <div
      ref={setScroller}
      style={{ overflow: 'auto', maxHeight: '74vh' }}
      tabIndex={0}
      role="region"
      aria-label="Visits"
    >
      <Table highlightOnHover stickyHeader miw={860} aria-label="Visits">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={64} className="numeric">
              <Term of="block">Block</Term>
            </Table.Th>
            <Table.Th>
              <Term of="scenario">Scenario</Term>
            </Table.Th>
            <Table.Th>
              <Term of="userAgent">User Agent</Term>
            </Table.Th>
            <Table.Th>URL</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th className="numeric">
              <Term metric="baseMs">Base</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term metric="viewportMs">Viewport</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term metric="totalMs">Total</Term>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <VirtualRows rows={visits} rowHeightPx={39} columns={8} scroller={{ current: scroller }}>
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
                  {names.get(visit.url)!.name}{' '}
                  <Text span inherit c="dimmed">
                    {names.get(visit.url)!.host}
                  </Text>
                </Anchor>
              </Table.Td>
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

function describeState({ status, code, failedObjects, isSettled, isHidden, exclusionReason }: ListedVisit): string {
  const flags = [
    failedObjects !== null && failedObjects > 0 && formatCount(failedObjects, 'failed object'),
    isSettled === false && 'unsettled',
    isHidden === true && 'hidden',
    exclusionReason !== null && 'excluded',
  ].filter((flag) => flag !== false);
  return [status === 'failed' ? (code ?? 'failed') : 'ok', ...flags].join(', ');
}

import { Table, Title } from '@mantine/core';
import { useRef } from 'react';
import { catalogue } from '#core/metrics/catalogue.ts';
import type { MissedCell } from '#core/stop-rule/block-decision.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { VirtualRows } from '../../../components/virtual-rows.tsx';
import { formatMs } from '../../../format/format-ms.ts';
import { formatNumber } from '../../../format/format-number.ts';

/** The means that missed their target. */
export function MissedCells({ missed, inAll }: { missed: MissedCell[]; inAll: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <>
      <Title order={3} mt="sm" id="missed">
        Means that missed their target: {formatNumber(inAll)}
      </Title>
      <div
        ref={scroller}
        style={{ maxHeight: 380, overflow: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label="Means that missed their target"
      >
        <Table stickyHeader verticalSpacing={5}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Metric</Table.Th>
              <Table.Th>Scenario</Table.Th>
              <Table.Th>User Agent</Table.Th>
              <Table.Th>URL</Table.Th>
              <Table.Th className="numeric">Half-width</Table.Th>
              <Table.Th className="numeric">Target</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <VirtualRows rows={missed} rowHeightPx={33} columns={6} scroller={scroller}>
            {({ metric, scenario, userAgent, url, halfWidthMs, targetMs }, index) => (
              <Table.Tr key={index}>
                <Table.Td>{catalogue[metric].label}</Table.Td>
                <Table.Td>{scenario}</Table.Td>
                <Table.Td>{userAgent}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{url}</Table.Td>
                <Table.Td className="numeric">
                  {halfWidthMs === null ? (
                    <AbsentValue reason="Fewer than two Rounds have a value." />
                  ) : (
                    `± ${formatMs(halfWidthMs)}`
                  )}
                </Table.Td>
                <Table.Td className="numeric">
                  {targetMs === null ? <AbsentValue reason="No Round has a value." /> : `± ${formatMs(targetMs)}`}
                </Table.Td>
              </Table.Tr>
            )}
          </VirtualRows>
        </Table>
      </div>
    </>
  );
}

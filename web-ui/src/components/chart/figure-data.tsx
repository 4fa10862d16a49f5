import { Table } from '@mantine/core';
import { useRef } from 'react';
import type { FigureTable, FigureValue } from '../../export/figure-table.ts';
import { formatNumber } from '../../format/format-number.ts';
import { AbsentValue } from '../absent-value.tsx';
import { VirtualRows } from '../virtual-rows.tsx';

/** The table of a chart. */
export function FigureData({ table: { columns, rows }, title }: { table: FigureTable; title: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNumeric = columns.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  return (
    <div
      ref={scroller}
      style={{ maxHeight: 420, overflow: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label={`Data of ${title}`}
    >
      <Table stickyHeader aria-label={title} aria-rowcount={rows.length + 1} verticalSpacing={5}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ label, unit }, column) => (
              <Table.Th key={column} className={isNumeric[column] ? 'numeric' : ''}>
                {unit === undefined ? label : `${label}, ${unit}`}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <VirtualRows rows={rows} rowHeightPx={33} columns={columns.length} scroller={scroller}>
          {(row, index) => (
            <Table.Tr key={index}>
              {row.map((value, column) => (
                <Table.Td
                  key={column}
                  className={isNumeric[column] ? 'numeric' : ''}
                  style={{ overflowWrap: 'anywhere', ...(!isNumeric[column] && { minWidth: 100 }) }}
                >
                  <Value value={value} decimals={columns[column]?.decimals ?? 1} />
                </Table.Td>
              ))}
            </Table.Tr>
          )}
        </VirtualRows>
      </Table>
    </div>
  );
}

function Value({ value, decimals }: { value: FigureValue; decimals: number }) {
  if (value === null) return <AbsentValue reason="Not known." />;
  return typeof value === 'number' ? formatNumber(value, decimals) : value;
}

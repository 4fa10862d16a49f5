import { Button, Group, Skeleton, Stack, Table, Menu } from '@mantine/core';
import { lazy, type ReactNode, Suspense, use, useState, useRef } from 'react';
import { writeCaption, writeCitation } from '#web-ui/src/figures/write-caption.ts';
import { formatDecimals } from '../../figures/name-figure.ts';
import { formatNumber } from '../../format/format-numbers.ts';
import { CopyableCode } from '../copyable-code.tsx';
import { CaptionFactsContext } from './caption-facts-context.ts';
import { figureWidths, type FigureWidthId } from './draw-figure.ts';
import type { Figure } from './figure.ts';
import { type FigureTable, type FigureValue, formatCsv } from '../../export/figure-table.ts';
import { loadPage } from '../../api/load-page.ts';
import { AbsentValue } from '../absent-value.tsx';
import { VirtualRows } from '../virtual-rows.tsx';
import { useLocalStorage } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { saveFile, nameFile } from '../../export/save-file.ts';

const widthIds = Object.keys(figureWidths) as FigureWidthId[];

const ChartCanvas = lazy(async () => ({ default: (await loadPage(() => import('./chart-canvas.tsx'))).ChartCanvas }));

interface ChartFigureProps {
  figure: Figure;
  heightPx?: number;
  /** Shown above the chart, before the buttons: which mark is whose. */
  legend?: ReactNode;
}

/** A chart with its legend, its data as a table on request, and buttons to save it. */
export function ChartFigure({ figure, heightPx = 340, legend }: ChartFigureProps) {
  const [showsData, setShowsData] = useState(false);
  const [showsCaption, setShowsCaption] = useState(false);
  const facts = use(CaptionFactsContext);
  return (
    <figure style={{ margin: 0 }} aria-label={figure.title}>
      <Group justify="space-between" gap="sm" mb={4}>
        <div>{legend}</div>
        <Group gap={4} ml="auto" className="no-print">
          <Button size="compact-xs" variant="subtle" aria-pressed={showsData} onClick={() => setShowsData(!showsData)}>
            {showsData ? 'Hide data' : 'Data'}
          </Button>
          {facts && (
            <Button
              size="compact-xs"
              variant="subtle"
              aria-pressed={showsCaption}
              onClick={() => setShowsCaption(!showsCaption)}
            >
              Caption
            </Button>
          )}
          <SaveMenu figure={figure} />
        </Group>
      </Group>
      <Suspense fallback={<Skeleton height={heightPx} />}>
        <ChartCanvas figure={figure} heightPx={heightPx} />
      </Suspense>
      {showsCaption && facts && (
        <Stack gap="xs" mt="xs" className="no-print">
          <CopyableCode code={writeCaption(figure, facts)} />
          <CopyableCode code={writeCitation(facts.version)} />
        </Stack>
      )}
      {showsData && <FigureData table={figure.table} title={figure.title} />}
    </figure>
  );
}

/** The table of a chart. */
function FigureData({ table: { columns, rows }, title }: { table: FigureTable; title: string }) {
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

function Value({ value, decimals }: { value: FigureValue; decimals: number | 'own' }) {
  if (value === null) return <AbsentValue reason="Not known." />;
  if (typeof value !== 'number') return value;
  return decimals === 'own' ? formatDecimals(value) : formatNumber(value, decimals);
}

/** Saves a figure as a picture of a chosen width, which is remembered, or as numbers. */
function SaveMenu({ figure }: { figure: Figure }) {
  const [stored, setWidth] = useLocalStorage({ key: 'figure-width', defaultValue: 'page' });
  const width = widthIds.find((id) => id === stored) ?? 'page';
  const take = (kind: 'PNG' | 'SVG' | 'CSV') => () => {
    saveAs(figure, { kind, width }).catch((error: unknown) => {
      notifications.show({
        color: 'red',
        title: `The ${kind} was not saved`,
        message: error instanceof Error ? error.message : String(error),
      });
    });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-xs" variant="subtle">
          Save
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={width} onChange={setWidth}>
          {widthIds.map((id) => (
            <Menu.RadioItem key={id} value={id}>
              {figureWidths[id].label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={take('SVG')}>SVG</Menu.Item>
        <Menu.Item onClick={take('PNG')}>PNG</Menu.Item>
        <Menu.Item onClick={take('CSV')}>CSV</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

async function saveAs(
  figure: Figure,
  { kind, width: id }: { kind: 'PNG' | 'SVG' | 'CSV'; width: FigureWidthId },
): Promise<void> {
  const name = nameFile(figure.fileName);
  if (kind === 'CSV') {
    saveFile(new Blob([formatCsv(figure.table)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
    return;
  }
  const { drawPng, drawSvg } = await loadPage(() => import('./draw-figure.ts'));
  const width = figureWidths[id];
  saveFile(kind === 'SVG' ? drawSvg(figure, width) : await drawPng(figure, width), `${name}.${kind.toLowerCase()}`);
}

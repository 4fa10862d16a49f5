import { Button, Group, Menu, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { formatCsv } from '../../export/format-csv.ts';
import { nameFile } from '../../export/name-file.ts';
import { saveFile } from '../../export/save-file.ts';
import type { Figure } from './figure.ts';
import { FigureData } from './figure-data.tsx';

const ChartCanvas = lazy(async () => ({ default: (await import('./chart-canvas.tsx')).ChartCanvas }));

interface ChartFigureProps {
  figure: Figure;
  heightPx?: number;
  /** Shown above the chart, before the buttons: which mark is whose. */
  legend?: ReactNode;
}

/** A chart with its legend, its data as a table on request, and buttons to save it. */
export function ChartFigure({ figure, heightPx = 340, legend }: ChartFigureProps) {
  const [showsData, setShowsData] = useState(false);
  const take = (kind: 'PNG' | 'SVG' | 'CSV') => () => {
    saveAs(figure, kind).catch((error: unknown) => {
      notifications.show({
        color: 'red',
        title: `The ${kind} was not saved`,
        message: error instanceof Error ? error.message : String(error),
      });
    });
  };
  return (
    <figure style={{ margin: 0 }} aria-label={figure.title}>
      <Group justify="space-between" gap="sm" mb={4}>
        <div>{legend}</div>
        <Group gap={4} ml="auto" className="no-print">
          <Button size="compact-xs" variant="subtle" aria-pressed={showsData} onClick={() => setShowsData(!showsData)}>
            {showsData ? 'Hide data' : 'Data'}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="compact-xs" variant="subtle">
                Save
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={take('SVG')}>SVG</Menu.Item>
              <Menu.Item onClick={take('PNG')}>PNG</Menu.Item>
              <Menu.Item onClick={take('CSV')}>CSV</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      <Suspense fallback={<Skeleton height={heightPx} />}>
        <ChartCanvas figure={figure} heightPx={heightPx} />
      </Suspense>
      {showsData && <FigureData table={figure.table} title={figure.title} />}
    </figure>
  );
}

async function saveAs(figure: Figure, kind: 'PNG' | 'SVG' | 'CSV'): Promise<void> {
  const name = nameFile(figure.fileName);
  if (kind === 'CSV') {
    saveFile(new Blob([formatCsv(figure.table)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
    return;
  }
  const { drawPng, drawSvg } = await import('./draw-figure.ts');
  saveFile(kind === 'SVG' ? drawSvg(figure) : await drawPng(figure), `${name}.${kind.toLowerCase()}`);
}

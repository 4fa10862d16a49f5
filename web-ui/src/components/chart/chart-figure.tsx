import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense, use, useState } from 'react';
import { writeCaption, writeCitation } from '#core/figures/write-caption.ts';
import { CopyableCode } from '../copyable-code.tsx';
import { CaptionFactsContext } from './caption-facts-context.ts';
import type { Figure } from './figure.ts';
import { FigureData } from './figure-data.tsx';
import { SaveMenu } from './save-menu.tsx';

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
          <CopyableCode code={writeCaption(figure.title, facts)} />
          <CopyableCode code={writeCitation(facts.version)} />
        </Stack>
      )}
      {showsData && <FigureData table={figure.table} title={figure.title} />}
    </figure>
  );
}

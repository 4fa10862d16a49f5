import { Button, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { formatCsv } from '../../export/format-csv.ts';
import { nameFile } from '../../export/name-file.ts';
import { saveFile } from '../../export/save-file.ts';
import type { Figure } from './figure.ts';
import { figureWidths, type FigureWidthId } from './figure-width.ts';

const widthIds = Object.keys(figureWidths) as FigureWidthId[];

/** Saves a figure as a picture of a chosen width, which is remembered, or as numbers. */
export function SaveMenu({ figure }: { figure: Figure }) {
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
  const { drawPng, drawSvg } = await import('./draw-figure.ts');
  const width = figureWidths[id];
  saveFile(kind === 'SVG' ? drawSvg(figure, width) : await drawPng(figure, width), `${name}.${kind.toLowerCase()}`);
}

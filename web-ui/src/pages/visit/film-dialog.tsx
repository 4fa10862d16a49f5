import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { formatMs } from '../../format/format-ms.ts';
import { FilmPicture } from './film-picture.tsx';
import { describeLookTime, type Look } from './list-looks.ts';
import classes from './filmstrip.module.css';

interface FilmDialogProps {
  looks: Look[];
  /** Null: closed. */
  index: number | null;
  onChoose: (index: number | null) => void;
}

/** One look large, and the way to the next: by buttons, or by the arrow keys. */
export function FilmDialog({ looks, index, onChoose }: FilmDialogProps) {
  const look = index === null ? undefined : looks[index];
  const step = (by: number) => {
    if (index !== null && looks[index + by]) onChoose(index + by);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(-1);
    if (key === 'ArrowRight') step(1);
  };
  return (
    <Modal
      opened={look !== undefined}
      onClose={() => onChoose(null)}
      title="Frame of the viewport"
      size="lg"
      centered
      onKeyDown={onKeyDown}
    >
      {look && index !== null && (
        <Stack gap="sm">
          <div className={classes.large}>
            <FilmPicture sha256={look.sha256} alt={`Viewport ${look.isLate ? '' : 'at '}${describeLookTime(look)}`} />
          </div>
          <Group justify="space-between">
            <Text size="sm" role="status">
              {look.isLate ? 'Seen at' : 'From'} {formatMs(look.atMs)}
              {look.isLate && ', first shown then or earlier'},{' '}
              {look.shownForMs === null ? 'until the end' : `for ${formatMs(look.shownForMs)}`}; {index + 1} of{' '}
              {looks.length}
            </Text>
            <Group gap="xs">
              <Button variant="default" size="compact-sm" disabled={index === 0} onClick={() => step(-1)}>
                ← Earlier
              </Button>
              <Button variant="default" size="compact-sm" disabled={index === looks.length - 1} onClick={() => step(1)}>
                Later →
              </Button>
            </Group>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

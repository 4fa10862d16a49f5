import { Anchor, Button, Group, Text } from '@mantine/core';
import classes from './draft-panel.module.css';

interface DraftPanelProps {
  /** What is compared. */
  label: string;
  /** What else the answers say, as far as they are right. */
  detail: readonly (string | false | undefined)[];
  /** The question whose answer is wrong; null where none is. */
  wrong: string | null;
  onSkip: () => void;
}

/** What the answers make, and the button that makes it. */
export function DraftPanel({ label, detail, wrong, onSkip }: DraftPanelProps) {
  return (
    <div className={classes.draft}>
      <div className={classes.outline}>
        <Text fw={600}>{label}</Text>
        <Text size="sm" c="dimmed">
          {detail.filter(Boolean).join(', ')}
        </Text>
      </div>
      <Group gap="md">
        <Button type="submit" disabled={wrong !== null}>
          Create draft
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onSkip}>
          Skip the questions
        </Anchor>
      </Group>
      {wrong !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          Correct “{wrong}” first.
        </Text>
      )}
    </div>
  );
}

import { Button } from '@mantine/core';

interface PacketsButtonProps {
  /** Whose packets they are, for who does not see the row: “of alice”. */
  whose: string;
  isOpen: boolean;
  onToggle: () => void;
}

/** Shows and hides the packets of a row, below it. */
export function PacketsButton({ whose, isOpen, onToggle }: PacketsButtonProps) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      px={0}
      aria-label={`Packets ${whose}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      Packets
    </Button>
  );
}

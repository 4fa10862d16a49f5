import { type ReactNode, useState } from 'react';
import { Button, Text } from '@mantine/core';

interface FoldedFigureProps {
  /** What the figure would show, where that is nothing; null where it shows something. */
  sentence: string | null;
  children: ReactNode;
}

/** A figure or, where it shows nothing, the sentence that says so; the figure then comes on request. */
export function FoldedFigure({ sentence, children }: FoldedFigureProps) {
  const [isOpen, setOpen] = useState(false);
  if (sentence === null) return children;
  return (
    <>
      <Text size="sm">
        {sentence}{' '}
        <Button
          size="compact-xs"
          variant="subtle"
          className="no-print"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide figure' : 'Show figure'}
        </Button>
      </Text>
      {isOpen && children}
    </>
  );
}

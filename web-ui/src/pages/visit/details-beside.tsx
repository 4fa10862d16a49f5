import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';

interface DetailsBesideProps {
  isOpen: boolean;
  onClose: () => void;
  details: ReactNode;
  /** The button of the row. */
  children: ReactNode;
}

/** What is known of a request, beside its row. Escape and a press elsewhere close it. */
export function DetailsBeside({ isOpen, onClose, details, children }: DetailsBesideProps) {
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => {
        if (!opened) onClose();
      }}
      position="bottom-start"
      width="min(640px, 92vw)"
      shadow="md"
      withArrow
      trapFocus
      returnFocus
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {isOpen && details}
      </Popover.Dropdown>
    </Popover>
  );
}

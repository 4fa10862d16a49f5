import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { AddHostForm } from './add-host-form.tsx';

interface AddHostDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The name that is wanted, to begin with. */
  name: string;
  /** What can be done once the host is connected, besides closing. */
  next?: ReactNode;
}

export function AddHostDialog({ isOpen, onClose, name, next }: AddHostDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add a host" size="lg" centered closeOnClickOutside={false}>
      <AddHostForm name={name} next={next} onDone={onClose} />
    </Modal>
  );
}

import { Modal } from '@mantine/core';
import { AddHostForm } from './add-host-form.tsx';

interface AddHostDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The name that is wanted, to begin with. */
  name: string;
}

export function AddHostDialog({ isOpen, onClose, name }: AddHostDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add a host" size="lg" centered closeOnClickOutside={false}>
      <AddHostForm name={name} onDone={onClose} />
    </Modal>
  );
}

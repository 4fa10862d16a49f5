import { Modal } from '@mantine/core';
import { AddHostForm } from './add-host-form.tsx';

interface AddHostDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function AddHostDialog({ isOpen, onClose }: AddHostDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add a host" size="lg" centered closeOnClickOutside={false}>
      <AddHostForm onDone={onClose} />
    </Modal>
  );
}

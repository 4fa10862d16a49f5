import type { ReactNode } from 'react';
import { FormDialog } from '../../components/form-dialog.tsx';
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
    <FormDialog title="Add a host" isOpen={isOpen} onClose={onClose}>
      <AddHostForm name={name} next={next} onDone={onClose} />
    </FormDialog>
  );
}

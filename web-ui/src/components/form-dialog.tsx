import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.tsx';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Once it is out of sight. */
  onClosed?: () => void;
  /** A `DialogForm`, then what it made. */
  children: ReactNode;
}

/** A dialog that a click beside it does not close, because it shows what is shown only once. */
export function FormDialog({ title, isOpen, onClose, onClosed, children }: FormDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size="lg"
      centered
      closeOnClickOutside={false}
      {...(onClosed && { onExitTransitionEnd: onClosed })}
    >
      {children}
    </Modal>
  );
}

interface DialogFormProps {
  onSubmit: () => void;
  submitLabel: string;
  isComplete?: boolean;
  isPending: boolean;
  /** Why the last attempt failed, under this title. */
  error: Error | null;
  errorTitle: string;
  children: ReactNode;
}

export function DialogForm(props: DialogFormProps) {
  const { onSubmit, submitLabel, isComplete = true, isPending, error, errorTitle, children } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack>
        {error && <ProblemAlert title={errorTitle} error={error} />}
        {children}
        <DialogButtons>
          <Button type="submit" loading={isPending} disabled={!isComplete}>
            {submitLabel}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  );
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" gap="xs">
      {children}
    </Group>
  );
}

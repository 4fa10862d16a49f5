import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface ConfirmButtonProps extends ButtonProps {
  children: string;
  title: string;
  consequence: ReactNode;
  onConfirm: () => void;
  'aria-label'?: string;
}

/** A button for an action that cannot be undone. A dialog shows the consequence and waits for confirmation. */
export function ConfirmButton({ children, title, consequence, onConfirm, ...button }: ConfirmButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="subtle" color="red" {...button} onClick={open}>
        {children}
      </Button>
      <ConfirmDialog {...{ isOpen, title, consequence, onConfirm }} action={children} onClose={close} />
    </>
  );
}

interface ConfirmDialogProps extends Pick<ConfirmButtonProps, 'title' | 'consequence' | 'onConfirm'> {
  isOpen: boolean;
  /** The words of the button that confirms. */
  action: string;
  onClose: () => void;
}

/** The dialog alone, where no button opens it. */
export function ConfirmDialog({ isOpen, title, consequence, action, onClose, onConfirm }: ConfirmDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} centered>
      <Text size="sm">{consequence}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red.9"
          onClick={() => {
            // The second press of a double click comes while the dialog fades out.
            if (!isOpen) return;
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </Group>
    </Modal>
  );
}

/** The same at the end of a row of a table, where it is not to stand out. */
export function RowConfirmButton(props: ConfirmButtonProps) {
  return <ConfirmButton size="compact-sm" fw={400} c="dimmed" color="gray" {...props} />;
}

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
      <Modal opened={isOpen} onClose={close} title={title} centered>
        <Text size="sm">{consequence}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red.9"
            onClick={() => {
              // The second press of a double click comes while the dialog fades out.
              if (!isOpen) return;
              close();
              onConfirm();
            }}
          >
            {children}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

/** The same at the end of a row of a table, where it is not to stand out. */
export function RowConfirmButton(props: ConfirmButtonProps) {
  return <ConfirmButton size="compact-sm" fw={400} c="dimmed" color="gray" {...props} />;
}

import { Button, type ButtonProps, Group, List, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Readiness } from './side/check-recording.ts';

interface StartButtonProps extends ButtonProps {
  children: string;
  /** What the Run would fail for, or wait for. */
  missing: Readiness[];
  onStart: () => void;
  'aria-label': string;
}

/** Starts a Run; where something is missing for it, it says what, and asks before. */
export function StartButton({ children, missing, onStart, ...button }: StartButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button {...button} onClick={missing.length > 0 ? open : onStart}>
        {children}
      </Button>
      <Modal opened={isOpen} onClose={close} title="This Run is not ready" size="lg" centered>
        <List spacing="xs" size="sm">
          {missing.map(({ text, fix }) => (
            <List.Item key={text}>
              {text}. {fix}
            </List.Item>
          ))}
        </List>
        <Text size="sm" mt="md">
          A Run waits until its hosts are connected, and blocks Runs that share them. If anything else is missing, it
          fails.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button
            onClick={() => {
              // The second press of a double click comes while the dialog fades out.
              if (!isOpen) return;
              close();
              onStart();
            }}
          >
            Run anyway
          </Button>
        </Group>
      </Modal>
    </>
  );
}

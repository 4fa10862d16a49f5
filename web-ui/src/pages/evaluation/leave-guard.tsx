import { Button, Group, Modal, Text } from '@mantine/core';
import { useBeforeUnload, useBlocker } from 'react-router';

interface LeaveGuardProps {
  /** Asked at the moment of leaving: whether something would be left behind. */
  hasChanges: () => boolean;
  onDiscard: () => void;
}

/** Asks before a page with changes that are not stored is left. They are kept in the tab all the same. */
export function LeaveGuard({ hasChanges, onDiscard }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasChanges(),
  );
  useBeforeUnload((event) => {
    if (hasChanges()) event.preventDefault();
  });
  return (
    <Modal
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      centered
    >
      <Text size="sm">This tab keeps your changes until you come back.</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
          Stay
        </Button>
        <Button
          variant="subtle"
          color="red"
          onClick={() => {
            onDiscard();
            blocker.proceed?.();
          }}
        >
          Discard and leave
        </Button>
        <Button onClick={() => blocker.proceed?.()}>Leave</Button>
      </Group>
    </Modal>
  );
}

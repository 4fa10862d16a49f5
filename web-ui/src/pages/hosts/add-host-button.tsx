import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { AddHostForm } from './add-host-form.tsx';

export function AddHostButton() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open}>Add a host</Button>
      <Modal opened={isOpen} onClose={close} title="Add a host" size="lg" centered closeOnClickOutside={false}>
        <AddHostForm onDone={close} />
      </Modal>
    </>
  );
}

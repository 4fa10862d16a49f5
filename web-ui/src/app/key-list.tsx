import { Button, Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from 'react-router';
import { useMayDo } from '../access/use-role.ts';
import { nameFindKey } from './palette/find-key.ts';
import { places } from './places.ts';

/** The keys that work on every page, and the list of them. */
export function KeyList() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const mayChange = useMayDo('evaluator');
  const keys = [
    ...places.map((place) => ({ key: place.key, label: place.label, act: () => void navigate(place.to) })),
    ...(mayChange ? [{ key: 'n', label: 'New Evaluation', act: () => void navigate('/evaluations/new') }] : []),
    { key: '?', label: 'This list', act: open },
  ];
  useHotkeys(
    keys.map(({ key, act }) => [
      key === '?' ? 'shift+?' : key,
      () => {
        // Another dialog may hold what is shown only once, such as a token.
        if (!isOpen && document.querySelector('[role="dialog"]')) return;
        close();
        act();
      },
    ]),
  );

  return (
    <>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={open} aria-label="Keys">
        ?
      </Button>
      <Modal opened={isOpen} onClose={close} title="Keys" size="xs" centered>
        <Stack gap="xs">
          {[...keys, { key: nameFindKey(), label: 'Find anything' }].map(({ key, label }) => (
            <Group key={key} justify="space-between">
              <Text size="sm">{label}</Text>
              <Kbd>{key}</Kbd>
            </Group>
          ))}
        </Stack>
      </Modal>
    </>
  );
}

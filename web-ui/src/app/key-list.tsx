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
    { key: 'j', label: 'Next row of a list (Enter opens it)', act: () => moveInList(1) },
    { key: 'k', label: 'Row before', act: () => moveInList(-1) },
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

/** What of a row takes the focus: what Enter opens; of a row that opens nothing, its first control. */
const inRow = 'a[href], button, [tabindex="0"]';

/** Moves the focus to the row after or before the one that has it, of the list that it is in, or else to the first row of the first list of the page. */
function moveInList(step: 1 | -1): void {
  const active = document.activeElement?.closest('tbody tr') ?? null;
  const list = active?.closest('table') ?? document.querySelector('main table');
  const rows = [...(list?.querySelectorAll<HTMLElement>('tbody tr') ?? [])].filter((row) => row.querySelector(inRow));
  const place = rows.findIndex((row) => row === active);
  const next = place === -1 ? rows[step === 1 ? 0 : rows.length - 1] : rows[place + step];
  const target = next?.querySelector<HTMLElement>(inRow);
  target?.focus({ preventScroll: true });
  // The sticky headings of the page and of the list would cover a row that is only just in sight.
  next?.scrollIntoView({ block: 'nearest' });
}

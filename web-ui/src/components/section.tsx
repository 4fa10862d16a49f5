import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  /** Where links to it lead; of its heading. */
  id?: string;
  title: ReactNode;
  beside?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ id: place, title, beside, children }: SectionProps) {
  const ownId = useId();
  const id = place ?? ownId;
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Group justify="space-between" align="center" mih={28}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {beside}
      </Group>
      {children}
    </Stack>
  );
}

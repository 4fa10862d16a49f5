import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: ReactNode;
  beside?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ title, beside, children }: SectionProps) {
  const id = useId();
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Group justify="space-between" align="center" mih={32}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {beside}
      </Group>
      {children}
    </Stack>
  );
}

import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** An empty page: its purpose, and the first step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl" radius="md" bg="var(--surface-raised)">
      <Stack align="flex-start" gap="md" maw={680}>
        <Title order={2}>{title}</Title>
        <Text component="div" c="dimmed">
          {children}
        </Text>
        {action}
      </Stack>
    </Paper>
  );
}

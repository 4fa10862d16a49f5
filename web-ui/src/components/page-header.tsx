import { Anchor, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface PageHeaderProps {
  title: string;
  /** The title of the browser tab where it should differ. */
  documentTitle?: string;
  parent?: { to: string; label: string };
  beside?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}

/** The head of every page: where it is, its title, its actions. */
export function PageHeader({ title, documentTitle = title, parent, beside, description, actions }: PageHeaderProps) {
  return (
    <div>
      <title>{`${documentTitle} · HTTP-AE`}</title>
      {parent && (
        <Anchor component={Link} to={parent.to} size="sm" c="dimmed">
          ← {parent.label}
        </Anchor>
      )}
      <Group justify="space-between" align="center" wrap="wrap" mih={40}>
        <Group gap="sm" align="center" wrap="wrap" flex="1 1 24rem" miw={0}>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {beside}
        </Group>
        {actions && (
          <Group gap="xs" className="no-print" flex="0 1 auto">
            {actions}
          </Group>
        )}
      </Group>
      {description && (
        <Text c="dimmed" mt={6} maw={760} component="div">
          {description}
        </Text>
      )}
    </div>
  );
}

import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { roleAbility } from '../../access/roles.ts';
import { sessionQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { Section } from '../../components/section.tsx';
import { PasswordForm } from './password-form.tsx';

/** Who one is here, and the own password. */
export function AccountPanel() {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const { evaluatorName, role } = session;
  const choose = (
    <Button component={Link} to="/sign-in?account">
      Choose a name and password
    </Button>
  );
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <Facts
          facts={[
            { label: 'Name', value: evaluatorName ?? 'none yet' },
            { label: 'Role', value: role },
          ]}
        />
        <Text c="dimmed" size="sm">
          {roleAbility[role]}
        </Text>
      </Stack>
      {evaluatorName === null ? (
        <EmptyState title="You signed in with a one-time link" action={choose}>
          The link works only once. Choose a name and a password to sign in again.
        </EmptyState>
      ) : (
        <Section title="Password">
          <PasswordForm name={evaluatorName} />
        </Section>
      )}
    </Stack>
  );
}

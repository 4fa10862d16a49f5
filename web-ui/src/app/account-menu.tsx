import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { sessionQuery } from '../api/queries.ts';
import { signOut } from '../api/session.ts';

const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const;

export function AccountMenu() {
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      queryClient.setQueryData(sessionQuery.queryKey, null);
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    },
  });
  const name = session?.evaluatorName ?? null;

  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" maw={220}>
          {name ?? 'Account'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {name === null && (
          <Menu.Item component={Link} to="/sign-in?account">
            Create an account
          </Menu.Item>
        )}
        {session && <Menu.Label>Role: {session.role}</Menu.Label>}
        <Menu.Item component={Link} to="/settings">
          Account and password
        </Menu.Item>
        <Menu.Label>Colours</Menu.Label>
        {schemes.map(({ value, label }) => (
          <Menu.Item
            key={value}
            onClick={() => setColorScheme(value)}
            rightSection={colorScheme === value ? '✓' : null}
            aria-current={colorScheme === value}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => leaving.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

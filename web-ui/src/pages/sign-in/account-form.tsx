import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { createAccount } from '../../api/session.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { textOf } from './text-of.ts';
import { useEntering } from './use-entering.ts';

/** Gives whoever came by a one-time link a name and a password, or lets that wait. */
export function AccountForm({ onDone }: { onDone: () => void }) {
  const naming = useEntering(createAccount, onDone);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        naming.mutate({ name: textOf(form, 'name'), password: textOf(form, 'password') });
      }}
    >
      <Stack>
        {naming.error && <ProblemAlert title="The account was not made" error={naming.error} />}
        <TextInput name="name" label="Name" autoComplete="username" required withAsterisk={false} />
        <PasswordInput
          name="password"
          label="Password"
          description="At least 10 characters."
          autoComplete="new-password"
          minLength={10}
          required
          withAsterisk={false}
        />
        <Text size="sm" c="dimmed" id="without-account">
          Without them this browser alone is let in, until it signs out or its session ends: who comes back after that needs another link. Until then Settings
          offers them again.
        </Text>
        <Group justify="space-between">
          <Button variant="subtle" onClick={onDone} aria-describedby="without-account">
            Later
          </Button>
          <Button type="submit" loading={naming.isPending}>
            Keep this account
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

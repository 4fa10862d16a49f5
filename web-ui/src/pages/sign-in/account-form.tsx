import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { createAccount } from '../../api/session.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { textOf } from './text-of.ts';
import { useEntering } from './use-entering.ts';

/** Lets a person who used a one-time link choose a name and a password, or leave it for later. */
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
        {naming.error && <ProblemAlert title="The account was not created" error={naming.error} />}
        <TextInput name="name" label="Name" autoComplete="username" required autoFocus withAsterisk={false} />
        <PasswordInput
          name="password"
          label="Password"
          description="At least 10 characters."
          autoComplete="new-password"
          minLength={10}
          required
          withAsterisk={false}
        />
        <Group justify="space-between">
          <Button variant="subtle" onClick={onDone}>
            Later
          </Button>
          <Button type="submit" loading={naming.isPending}>
            Create account
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

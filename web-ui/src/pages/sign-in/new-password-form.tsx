import { Button, PasswordInput, Stack } from '@mantine/core';
import { renewPassword } from '../../api/session.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { textOf } from './text-of.ts';
import { useEntering } from './use-entering.ts';

/** Lets a person who used a one-time link choose a new password, and signs them in. */
export function NewPasswordForm({ ticket, name, onDone }: { ticket: string; name: string; onDone: () => void }) {
  const renewing = useEntering(renewPassword, onDone);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        renewing.mutate({ ticket, newPassword: textOf(new FormData(event.currentTarget), 'password') });
      }}
    >
      <Stack>
        {renewing.error && <ProblemAlert title="The password was not changed" error={renewing.error} />}
        <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
        <PasswordInput
          name="password"
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          minLength={10}
          required
          autoFocus
          withAsterisk={false}
        />
        <Button type="submit" loading={renewing.isPending}>
          Save password
        </Button>
      </Stack>
    </form>
  );
}

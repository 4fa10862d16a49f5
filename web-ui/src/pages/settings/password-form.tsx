import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changePassword } from '../../api/settings.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { textOf } from '../sign-in/text-of.ts';

/** `name`: for whom a password manager keeps it. */
export function PasswordForm({ name }: { name: string }) {
  const queryClient = useQueryClient();
  const changing = useMutation({
    mutationFn: changePassword,
    meta: { showsProblem: true },
    onSuccess: async () => {
      notifications.show({ message: 'Password changed. Your other sessions ended.' });
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const fields = new FormData(form);
        changing.mutate(
          { currentPassword: textOf(fields, 'current'), newPassword: textOf(fields, 'new') },
          { onSuccess: () => form.reset() },
        );
      }}
    >
      <Stack maw={360} align="stretch">
        {changing.error && <ProblemAlert title="The password was not changed" error={changing.error} />}
        <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
        <PasswordInput
          name="current"
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <PasswordInput
          name="new"
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          minLength={10}
          required
          withAsterisk={false}
        />
        <Text size="sm" c="dimmed">
          All your other sessions end.
        </Text>
        <Button type="submit" variant="default" loading={changing.isPending} w="fit-content">
          Change password
        </Button>
      </Stack>
    </form>
  );
}

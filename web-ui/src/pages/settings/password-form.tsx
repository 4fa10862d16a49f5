import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changePassword } from '../../api/settings.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { CredentialsForm, NewPasswordInput } from '../sign-in/credentials-form.tsx';

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
    <CredentialsForm
      onSubmit={(read, form) =>
        changing.mutate(
          { currentPassword: read('current'), newPassword: read('new') },
          { onSuccess: () => form.reset() },
        )
      }
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
        <NewPasswordInput name="new" label="New password" />
        <Text size="sm" c="dimmed">
          All your other sessions end.
        </Text>
        <Button type="submit" variant="default" loading={changing.isPending} w="fit-content">
          Change password
        </Button>
      </Stack>
    </CredentialsForm>
  );
}

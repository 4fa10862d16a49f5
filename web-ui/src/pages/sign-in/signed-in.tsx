import { Button, Group, Stack, Text } from '@mantine/core';

/** What a person can do next who used a one-time link. */
export function SignedIn({ onContinue, onCreateAccount }: { onContinue: () => void; onCreateAccount: () => void }) {
  return (
    <Stack>
      <Text size="sm" c="dimmed" id="without-account">
        Without an account, only this browser is signed in. After you sign out or the session ends, you need another
        link. You can also create the account later, in Settings.
      </Text>
      <Group justify="space-between">
        <Button variant="default" onClick={onCreateAccount}>
          Create an account
        </Button>
        <Button onClick={onContinue} aria-describedby="without-account">
          Continue
        </Button>
      </Group>
    </Stack>
  );
}

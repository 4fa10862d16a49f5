import { Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { signIn } from '../../api/session.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { textOf } from './text-of.ts';
import { useEntering } from './use-entering.ts';

interface SignInFormProps {
  refusedTicket: unknown;
  onDone: () => void;
}

export function SignInForm({ refusedTicket, onDone }: SignInFormProps) {
  const entering = useEntering(signIn, onDone);
  const refused = entering.error ?? refusedTicket;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        entering.mutate({ name: textOf(form, 'name'), password: textOf(form, 'password') });
      }}
    >
      <Stack>
        {refused !== null && (
          <ProblemAlert title={entering.error ? 'Sign-in failed' : 'The one-time link was rejected'} error={refused} />
        )}
        <TextInput name="name" label="Name" autoComplete="username" required autoFocus withAsterisk={false} />
        <PasswordInput name="password" label="Password" autoComplete="current-password" required withAsterisk={false} />
        <Button type="submit" loading={entering.isPending}>
          Sign in
        </Button>
        <Text size="xs" c="dimmed">
          No account, or forgot the password? Ask an admin for a link. On the machine of the Controller,{' '}
          <Code>./http-ae link</Code> prints one.
        </Text>
      </Stack>
    </form>
  );
}

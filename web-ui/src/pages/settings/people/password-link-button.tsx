import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Person } from '#core/protocol/api/people.ts';
import { makePasswordLink } from '../../../api/people-requests.ts';
import { sessionQuery } from '../../../api/queries.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { DialogButtons, FormDialog } from '../../../components/form-dialog.tsx';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import { formatTime } from '../../../format/format-time.ts';
import { passwordLink } from './one-time-link.ts';

/** For a person who forgot the password: the link is made when the button is pressed, and shown once. */
export function PasswordLinkButton({ person: { id, name } }: { person: Person }) {
  const publicUrl = useQuery(sessionQuery).data?.publicUrl;
  const queryClient = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const making = useMutation({
    mutationFn: makePasswordLink,
    meta: { showsProblem: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['people'] }),
    onSettled: open,
  });
  const { data: link, error } = making;
  return (
    <>
      <Button
        size="compact-sm"
        fw={400}
        variant="subtle"
        color="gray"
        c="dimmed"
        loading={making.isPending}
        onClick={() => making.mutate(id)}
        aria-label={`New password for ${name}`}
      >
        New password
      </Button>
      <FormDialog title={`A new password for ${name}`} isOpen={isOpen} onClose={close} onClosed={making.reset}>
        <Stack>
          {error && <ProblemAlert title="No link was created" error={error} />}
          {link && (
            <>
              <Text size="sm">
                Give this link to {name}. It works once, until {formatTime(link.expiresAt)}, and is shown only now. The
                person who opens it chooses a new password. Then all sessions of {name} end. Until then the old password
                works.
              </Text>
              <CopyableCode code={passwordLink(publicUrl ?? window.location.origin, { ticket: link.ticket, name })} />
            </>
          )}
          <DialogButtons>
            <Button onClick={close}>Done</Button>
          </DialogButtons>
        </Stack>
      </FormDialog>
    </>
  );
}

import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { shareDays, shareLink } from '#core/protocol/api/share.ts';
import { sessionQuery } from '../../../api/queries.ts';
import { createShare, sharesQuery } from '../../../api/share-requests.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { DialogButtons, DialogForm } from '../../../components/form-dialog.tsx';
import { formatTime } from '../../../format/format-time.ts';

/** Makes a link, and shows it once. */
export function ShareForm({ runId, onDone }: { runId: string; onDone: () => void }) {
  const publicUrl = useQuery(sessionQuery).data?.publicUrl;
  const [days, setDays] = useState<(typeof shareDays)[number]>(30);
  const queryClient = useQueryClient();
  const sharing = useMutation({
    mutationFn: () => createShare(runId, { days }),
    meta: { showsProblem: true },
    onSuccess: () => queryClient.invalidateQueries(sharesQuery(runId)),
  });

  if (sharing.data) {
    return (
      <Stack>
        <Text size="sm">
          Give this link to the people who may see the Comparison. It works until {formatTime(sharing.data.expiresAt)},
          and is shown only now.
        </Text>
        <CopyableCode code={shareLink(publicUrl ?? window.location.origin, sharing.data.secret)} />
        <DialogButtons>
          <Button variant="default" onClick={() => sharing.reset()}>
            Another link
          </Button>
          <Button onClick={onDone}>Done</Button>
        </DialogButtons>
      </Stack>
    );
  }
  return (
    <DialogForm
      onSubmit={() => sharing.mutate()}
      submitLabel="Create the link"
      isPending={sharing.isPending}
      error={sharing.error}
      errorTitle="No link was created"
    >
      <Text size="sm">
        Anyone with the link sees this Comparison without an account, and can save it as HTML. It names URLs, hosts and
        User Agents, and who excluded Visits. The link opens nothing else.
      </Text>
      <Group gap="sm">
        <Text size="sm" id="share-days">
          Works for
        </Text>
        <SegmentedControl
          aria-labelledby="share-days"
          size="xs"
          value={String(days)}
          onChange={(value) => setDays(shareDays.find((each) => String(each) === value) ?? 30)}
          data={shareDays.map((each) => ({ value: String(each), label: `${each} days` }))}
        />
      </Group>
    </DialogForm>
  );
}

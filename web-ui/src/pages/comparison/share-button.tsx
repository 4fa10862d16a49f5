import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { NeedsRole } from '../../access/needs-role.tsx';
import { FormDialog, DialogButtons, DialogForm } from '../../components/form-dialog.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, useMemo } from 'react';
import { shareDays, shareLink, type ShareSummary } from '#core/protocol/api/share.ts';
import { sessionQuery } from '../../api/queries.ts';
import { createShare, sharesQuery, revokeShare } from '../../api/share-requests.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { LocalAddressNote } from '../../components/local-address-note.tsx';
import { formatTime } from '../../format/format-times.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { RowConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { shareDialog, useDialogInAddress } from '../../components/use-dialog-in-address.ts';

/** A read-only link to this Comparison for people without an account. */
export function ShareButton({ runId, isNext = false }: { runId: string; isNext?: boolean }) {
  const [isOpen, { open, close }] = useDialogInAddress(shareDialog);
  return (
    <NeedsRole role="evaluator">
      <Button variant={isNext ? 'filled' : 'default'} onClick={open}>
        Share…
      </Button>
      <FormDialog title="Share this Comparison" isOpen={isOpen} onClose={close}>
        <ShareForm runId={runId} onDone={close} />
        <ShareTable runId={runId} />
      </FormDialog>
    </NeedsRole>
  );
}

/** Makes a link, and shows it once. */
function ShareForm({ runId, onDone }: { runId: string; onDone: () => void }) {
  const controller = useQuery(sessionQuery).data?.publicUrl ?? window.location.origin;
  const [days, setDays] = useState<(typeof shareDays)[number]>(30);
  const sharing = useMutation({
    mutationFn: () => createShare(runId, { days }),
    meta: { showsProblem: true },
    onSuccess: useRefresh(sharesQuery(runId).queryKey),
  });

  if (sharing.data) {
    return (
      <Stack>
        <Text size="sm">
          Give this link to the people who may see the Comparison. It works until {formatTime(sharing.data.expiresAt)},
          and is shown only now.
        </Text>
        <CopyableCode code={shareLink(controller, sharing.data.secret)} />
        <LocalAddressNote address={controller} others="For people at other machines" />
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

/** The links that work. Nothing where there is none. */
function ShareTable({ runId }: { runId: string }) {
  const query = useQuery(sharesQuery(runId));
  const columns = useMemo(() => listColumns(runId), [runId]);
  return (
    <QueryContent query={query} what="The links">
      {(shares) =>
        shares.length > 0 && (
          <section>
            <Title order={3} size="h5" mt="lg" mb="xs">
              Links that work
            </Title>
            <DataTable rows={shares} columns={columns} rowKey={({ id }) => id} minWidthPx={560} />
          </section>
        )
      }
    </QueryContent>
  );
}

function RevokeButton({ runId, id, madeBy }: { runId: string; id: string; madeBy: string }) {
  const revoking = useMutation({
    mutationFn: () => revokeShare(id),
    onSettled: useRefresh(sharesQuery(runId).queryKey),
  });
  return (
    <RowConfirmButton
      title="Revoke the link?"
      consequence="The Controller rejects the link from now on. Reports that were saved stay with those who saved them."
      loading={revoking.isPending}
      onConfirm={() => revoking.mutate()}
      aria-label={`Revoke the link that ${madeBy} created`}
    >
      Revoke
    </RowConfirmButton>
  );
}

function listColumns(runId: string): DataColumn<ShareSummary>[] {
  return [
    { name: 'Created by', isRowHeader: true, cell: ({ madeBy }) => madeBy },
    {
      name: 'Created',
      isNumeric: true,
      cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
    },
    {
      name: 'Until',
      isNumeric: true,
      cell: ({ expiresAt }) => formatTime(expiresAt),
    },
    {
      name: 'Last opened',
      isNumeric: true,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo time={lastUsedAt} /> : <AbsentValue reason="Not opened yet." />),
    },
    {
      name: 'Actions',
      isActions: true,
      isNumeric: true,
      widthPx: 100,
      cell: ({ id, madeBy }) => <RevokeButton runId={runId} id={id} madeBy={madeBy} />,
    },
  ];
}

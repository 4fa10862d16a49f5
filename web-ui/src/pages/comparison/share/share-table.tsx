import { Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ShareSummary } from '#core/protocol/api/share.ts';
import { revokeShare, sharesQuery } from '../../../api/share-requests.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { RowConfirmButton } from '../../../components/confirm-button.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { formatTime } from '../../../format/format-time.ts';

/** The links that work. Nothing where there is none. */
export function ShareTable({ runId }: { runId: string }) {
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
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeShare(id),
    onSettled: () => queryClient.invalidateQueries(sharesQuery(runId)),
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

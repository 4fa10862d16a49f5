import { Progress, Stack, Table, Text, Button, Group } from '@mantine/core';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { KeptDays } from '#core/protocol/api/retention.ts';
import { retentionQuery } from '../../api/settings-queries.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { formatCount, formatBytes } from '../../format/format-numbers.ts';
import { notifications } from '@mantine/notifications';
import { NeedsRole } from '../../access/needs-role.tsx';
import { storeKeptDays } from '../../api/retention-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { isShorter, KeptDaysFields, readDays, typeDays } from '../../components/kept-days-fields.tsx';
import { Section } from '../../components/section.tsx';

/** What is kept, how long, and how much there is of it. */
export function RetentionPanel() {
  const query = useQuery(retentionQuery);
  return (
    <QueryContent query={query} what="What is kept">
      {({ days, traces, pictures, databaseBytes, sessionHours, idleSessionHours, ticketHours }) => (
        <Stack gap="xl">
          <Table.ScrollContainer minWidth={680}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={260}>What</Table.Th>
                  <Table.Th>Kept</Table.Th>
                  <Table.Th className="numeric" w={260}>
                    Now
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                <Kept
                  what="Runs, Visits, Snapshots, statistics of Captures"
                  how={describeDays(days)}
                  now={formatBytes(databaseBytes)}
                />
                <Kept
                  what="Traces of Captures"
                  how={
                    <>
                      the newest {formatBytes(traces.limitBytes)};{' '}
                      <code style={{ whiteSpace: 'nowrap' }}>http-ae up --trace-limit</code> sets it
                    </>
                  }
                  now={<Filling {...traces} label="Traces" />}
                />
                <Kept
                  what="Screenshots and filmstrips"
                  how={`the newest ${formatBytes(pictures.limitBytes)}`}
                  now={<Filling {...pictures} label="Pictures" />}
                />
                <Kept
                  what="Audit log, with the texts of scripts"
                  how="permanently. Entries cannot be changed or removed"
                  now="in the database"
                />
                <Kept
                  what="Sessions"
                  how={`${sessionHours / 24} days, or ${idleSessionHours / 24} days without use. An open page counts as use`}
                />
                <Kept what="One-time links" how={`${ticketHours} hours, or until used`} />
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <KeptDaysForm key={JSON.stringify(days)} days={days} />
        </Stack>
      )}
    </QueryContent>
  );
}

function describeDays({ snapshotDays, visitDays }: KeptDays): string {
  const limits = [
    ...(snapshotDays === null ? [] : [`Snapshots ${formatCount(snapshotDays, 'day')}`]),
    ...(visitDays === null ? [] : [`Visits ${formatCount(visitDays, 'day')}`]),
  ];
  return limits.length === 0
    ? 'permanently, in the database'
    : `${limits.join(', ')} after the end of a Run; the rest permanently. An Evaluation may have its own limits`;
}

function Kept({ what, how, now }: { what: string; how: ReactNode; now?: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{what}</Table.Th>
      <Table.Td>{how}</Table.Td>
      <Table.Td className="numeric">{now}</Table.Td>
    </Table.Tr>
  );
}

function Filling({ label, limitBytes, storedBytes }: { label: string; limitBytes: number; storedBytes: number }) {
  return (
    <Stack gap={4}>
      <Text inherit>{formatBytes(storedBytes)}</Text>
      <Progress value={(100 * storedBytes) / limitBytes} size="sm" aria-label={`${label}: share of the limit in use`} />
    </Stack>
  );
}

/** How long the data of all Runs are kept. */
function KeptDaysForm({ days }: { days: KeptDays }) {
  const [typed, setTyped] = useState(() => typeDays(days));
  const queryClient = useQueryClient();
  const read = readDays(typed);
  const saving = useMutation({
    mutationFn: storeKeptDays,
    meta: { showsProblem: true },
    onSuccess: async () => {
      notifications.show({ title: 'Saved', message: 'Older data are now being deleted.' });
      await queryClient.invalidateQueries(retentionQuery);
    },
  });
  const save = () => read && saving.mutate(read);
  const look = { variant: 'default', disabled: read === null, loading: saving.isPending } as const;
  return (
    <Section title="Delete old data">
      <NeedsRole role="admin">
        <Stack>
          <Text size="sm" c="dimmed" maw={620}>
            Counted from the end of each Run, of all Evaluations without a setting of their own. What is older is
            deleted within minutes and cannot be restored.
          </Text>
          <KeptDaysFields days={typed} onChange={setTyped} />
          {saving.error && <ProblemAlert title="The retention was not saved" error={saving.error} />}
          <Group>
            {read && isShorter(read, days) ? (
              <ConfirmButton
                {...look}
                title="Delete what is older?"
                consequence={`Kept from now on: ${describeDays(read)}. What is older is deleted within minutes and cannot be restored.`}
                onConfirm={save}
              >
                Save
              </ConfirmButton>
            ) : (
              <Button {...look} onClick={save}>
                Save
              </Button>
            )}
          </Group>
        </Stack>
      </NeedsRole>
    </Section>
  );
}

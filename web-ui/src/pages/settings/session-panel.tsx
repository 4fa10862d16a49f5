import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { SessionSummary } from '#core/protocol/api/access.ts';
import { useMayDo } from '../../access/use-role.ts';
import { endSession } from '../../api/settings.ts';
import { sessionsQuery } from '../../api/settings-queries.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { RowConfirmButton } from '../../components/confirm-button.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Section } from '../../components/section.tsx';
import { timeColumn } from '../../components/time-ago.tsx';

/** The later names are in the texts of others, too: each is looked for before those that carry it along. */
const browsers = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** Where one is signed in; an admin sees where everybody is. */
export function SessionPanel() {
  const isAdmin = useMayDo('admin');
  const query = useQuery(sessionsQuery(isAdmin ? 'everybody' : 'own'));
  return (
    <Section title={isAdmin ? 'All sessions' : 'Your sessions'}>
      <QueryContent query={query} what="The sessions">
        {(sessions) => <DataTable rows={sessions} columns={columns} rowKey={({ id }) => id} minWidthPx={720} inParts />}
      </QueryContent>
    </Section>
  );
}

const nameOf = ({ evaluatorName }: SessionSummary) => evaluatorName ?? 'No account yet';

const columns: DataColumn<SessionSummary>[] = [
  { name: 'Person', isRowHeader: true, sortBy: nameOf, cell: nameOf },
  { name: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => role },
  {
    name: 'Browser',
    sortBy: ({ browser }) => describeBrowser(browser),
    cell: ({ browser }) => <span title={browser ?? undefined}>{describeBrowser(browser)}</span>,
  },
  timeColumn('Signed in', ({ createdAt }) => createdAt),
  timeColumn('Last used', ({ lastUsedAt }) => lastUsedAt),
  {
    name: 'Actions',
    isActions: true,
    isNumeric: true,
    widthPx: 90,
    cell: (session) =>
      session.isOwn ? (
        <Text span size="sm" c="dimmed">
          this one
        </Text>
      ) : (
        <EndButton session={session} />
      ),
  },
];

function EndButton({ session }: { session: SessionSummary }) {
  const ending = useMutation({ mutationFn: () => endSession(session.id), onSuccess: useRefresh(['sessions']) });
  const name = nameOf(session);
  return (
    <RowConfirmButton
      title={`End this session of ${name}?`}
      consequence="That browser must sign in again."
      loading={ending.isPending}
      onConfirm={() => ending.mutate()}
      aria-label={`End the session of ${name} in ${describeBrowser(session.browser)}`}
    >
      End
    </RowConfirmButton>
  );
}

/** What a browser says of itself (`User-Agent`), in two words: `Firefox on Linux`. */
function describeBrowser(userAgent: string | null): string {
  if (userAgent === null) return 'unknown';
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'another program';
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}

import { Anchor, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AuditEntry } from '#core/protocol/api/audit-entry.ts';
import type { AuditFilter } from '../../../api/settings.ts';
import { auditQuery } from '../../../api/settings-queries.ts';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { useAddress } from '../../../components/list/use-address.ts';
import { NextPageButton } from '../../../components/next-page-button.tsx';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import { RowsSkeleton } from '../../../components/rows-skeleton.tsx';
import { formatTime } from '../../../format/format-times.ts';
import { auditActions, nameAction } from './audit-actions.ts';

const typingPauseMs = 300;
const actions = [
  { value: '', label: 'Everything' },
  ...Object.entries(auditActions).map(([value, label]) => ({ value, label })),
];

function readAuditFilter(search: URLSearchParams): AuditFilter {
  return { action: search.get('action') ?? '', text: search.get('text') ?? '' };
}

/** Who did what. The filter is part of the address, so that it can be shared. */
export function AuditPanel() {
  const [search, change] = useAddress();
  const filter = readAuditFilter(search);
  // As a text: an object would be another one each time that this is drawn, and so be waited for without end.
  const [settled] = useDebouncedValue(search.toString(), typingPauseMs, { leading: true });
  const query = useInfiniteQuery({
    ...auditQuery(readAuditFilter(new URLSearchParams(settled))),
    placeholderData: keepPreviousData,
  });
  const entries = query.data?.pages.flatMap((page) => page.entries);

  return (
    <Stack>
      <Group align="flex-end">
        <NativeSelect
          label="Action"
          data={actions}
          value={filter.action}
          onChange={(event) => change({ action: event.currentTarget.value })}
          w={220}
        />
        <TextInput
          label="Person, subject or script"
          value={filter.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          maxLength={200}
          w={280}
        />
      </Group>
      {query.error && !query.isFetchNextPageError && (
        <ProblemAlert title="The audit log cannot be shown" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!entries && !query.error && <RowsSkeleton />}
      {entries?.length === 0 && (
        <Text c="dimmed">{filter.action || filter.text ? 'No matching entries.' : 'No entries yet.'}</Text>
      )}
      {entries && entries.length > 0 && <AuditTable entries={entries} />}
      <NextPageButton query={query}>Show earlier entries</NextPageButton>
    </Stack>
  );
}

/** Newest first, as the server sends its pages. Every text of it was written by people or programs: it is shown, never made into a link or a markup. */
function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return <DataTable rows={entries} columns={columns} rowKey={({ id }) => id} minWidthPx={760} verticalSpacing={6} />;
}

const columns: DataColumn<AuditEntry>[] = [
  {
    name: 'Time',
    widthPx: 200,
    style: { whiteSpace: 'nowrap', verticalAlign: 'top' },
    cell: ({ at }) => <time dateTime={at}>{formatTime(at)}</time>,
  },
  {
    name: 'Person',
    widthPx: 230,
    style: { overflowWrap: 'anywhere', verticalAlign: 'top' },
    cell: ({ actor }) => actor,
  },
  { name: 'Action', widthPx: 190, style: { verticalAlign: 'top' }, cell: ({ action }) => nameAction(action) },
  { name: 'Subject', style: { overflowWrap: 'anywhere' }, cell: (entry) => <Subject entry={entry} /> },
];

function Subject({ entry: { subject, details, script } }: { entry: AuditEntry }) {
  const { run } = details;
  return (
    <>
      {typeof run === 'string' ? (
        <Anchor component={Link} to={`/runs/${encodeURIComponent(run)}`} inherit>
          {subject}
        </Anchor>
      ) : (
        subject
      )}
      <Text size="xs" c="dimmed">
        {describeDetails(details)}
      </Text>
      {script && (
        <details>
          <Text component="summary" size="xs" style={{ cursor: 'pointer' }}>
            Script <Code>{script.sha256.slice(0, 12)}</Code>
          </Text>
          <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
            SHA-256 {script.sha256}
          </Text>
          <Code block mt={4} tabIndex={0}>
            {script.text}
          </Code>
        </details>
      )}
    </>
  );
}

/** What the subject, its link and the ending say already. */
const shownElsewhere = new Set(['run', 'round', 'host', 'exitCode', 'isTimedOut']);

function describeDetails(details: AuditEntry['details']): string {
  const rest = Object.entries(details).flatMap(([name, value]) =>
    value === null || shownElsewhere.has(name) ? [] : [`${name} ${value}`],
  );
  return [...describeEnding(details), ...rest].join(' · ');
}

function describeEnding({ exitCode, isTimedOut }: AuditEntry['details']): string[] {
  if (exitCode === undefined) return [];
  if (isTimedOut === true) return ['timed out'];
  return [exitCode === null ? 'did not run' : `exit status ${exitCode}`];
}

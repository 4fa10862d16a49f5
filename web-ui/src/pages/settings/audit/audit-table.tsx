import { Anchor, Code, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditEntry } from '#core/protocol/api/audit-entry.ts';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { formatTime } from '../../../format/format-times.ts';
import { nameAction } from './audit-actions.ts';

/** Newest first, as the server sends its pages. Every text of it was written by people or programs: it is shown, never made into a link or a markup. */
export function AuditTable({ entries }: { entries: AuditEntry[] }) {
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

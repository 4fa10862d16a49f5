import { Anchor, Code, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditEntry } from '#core/protocol/api/audit-entry.ts';
import { formatTime } from '../../../format/format-time.ts';
import { nameAction } from './audit-actions.ts';

export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={200}>Time</Table.Th>
            <Table.Th w={230}>Person</Table.Th>
            <Table.Th w={190}>Action</Table.Th>
            <Table.Th>Subject</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Every text of it was written by people or programs: it is shown, never made into a link or a markup. */
function AuditRow({ entry: { at, actor, action, subject, details, script } }: { entry: AuditEntry }) {
  const { run } = details;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <time dateTime={at}>{formatTime(at)}</time>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{actor}</Table.Td>
      <Table.Td>{nameAction(action)}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
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
      </Table.Td>
    </Table.Tr>
  );
}

/** What the subject, its link and the ending say already. */
const toldElsewhere = new Set(['run', 'round', 'host', 'exitCode', 'isTimedOut']);

function describeDetails(details: AuditEntry['details']): string {
  const rest = Object.entries(details).flatMap(([name, value]) =>
    value === null || toldElsewhere.has(name) ? [] : [`${name} ${value}`],
  );
  return [...describeEnding(details), ...rest].join(' · ');
}

function describeEnding({ exitCode, isTimedOut }: AuditEntry['details']): string[] {
  if (exitCode === undefined) return [];
  if (isTimedOut === true) return ['timed out'];
  return [exitCode === null ? 'did not run' : `exit status ${exitCode}`];
}

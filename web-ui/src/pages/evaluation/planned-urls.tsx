import { Code, Table, Text } from '@mantine/core';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { expandUrlEntry } from '#core/evaluation/url-list.ts';
import { Term } from '../../components/term.tsx';
import { formatNumber } from '../../format/format-number.ts';

/** Each URL list, entry by entry, patterns as they were written. */
export function PlannedUrls({ evaluation }: { evaluation: Evaluation }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={160}>List</Table.Th>
          <Table.Th>URL or pattern</Table.Th>
          <Table.Th>Label</Table.Th>
          <Table.Th>
            <Term of="variable">Variables</Term>
          </Table.Th>
          <Table.Th className="numeric">URLs</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(evaluation.urlLists).flatMap(([list, entries]) =>
          entries.map((entry, index) => (
            <Table.Tr key={`${list} ${index}`}>
              <Table.Td>{index === 0 && list}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Code>{entry.url}</Code>
              </Table.Td>
              <Table.Td>{entry.label ?? <Text span size="sm" c="dimmed">the URL</Text>}</Table.Td>
              <Table.Td>
                {Object.entries(entry.variables ?? {})
                  .map(([name, value]) => `${name} = ${value}`)
                  .join(', ')}
              </Table.Td>
              <Table.Td className="numeric">{formatNumber(expandUrlEntry(entry).length)}</Table.Td>
            </Table.Tr>
          )),
        )}
      </Table.Tbody>
    </Table>
  );
}

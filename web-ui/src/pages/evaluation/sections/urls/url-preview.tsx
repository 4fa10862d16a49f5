import { Button, Popover, ScrollArea, Table } from '@mantine/core';
import type { ExpandedUrl } from '#core/evaluation/pages/url-entry.ts';

const shownUrls = 200;

/** Every URL that a list stands for, with what the report will call it and plot it by. */
export function UrlPreview({ urls, label }: { urls: ExpandedUrl[]; label: string }) {
  return (
    <Popover position="bottom-end" width="min(620px, 90vw)" withArrow trapFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" disabled={urls.length === 0}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <ScrollArea.Autosize mah={320} type="auto">
          <Table verticalSpacing={3} fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>URL</Table.Th>
                <Table.Th>Label</Table.Th>
                <Table.Th>Variables</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {urls.slice(0, shownUrls).map(({ url, label: name, variables }, index) => (
                <Table.Tr key={index}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{url}</Table.Td>
                  <Table.Td>{name === url ? '' : name}</Table.Td>
                  <Table.Td>
                    {Object.entries(variables)
                      .map(([variable, value]) => `${variable} = ${value}`)
                      .join(', ')}
                  </Table.Td>
                </Table.Tr>
              ))}
              {urls.length > shownUrls && (
                <Table.Tr>
                  <Table.Td colSpan={3}>and {urls.length - shownUrls} more</Table.Td>
                </Table.Tr>
              )}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

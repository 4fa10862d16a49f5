import { Anchor, Paper, SegmentedControl, Select, Stack, Text, type ComboboxItem } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { sitesQuery } from '../../../../api/site-requests.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readPath, readText, type Path } from '../../editor/path.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { ListHead } from './list-head.tsx';

/** Whether a list names a page of a Site, in place of URLs. */
export function isSitePage(entries: unknown): boolean {
  return readPath(entries, ['site']) !== undefined;
}

const kinds = [
  { value: 'urls', label: 'URLs' },
  { value: 'site', label: 'A page of a Site' },
];

/** Where there are Sites: whether a list has URLs or a page of one. What the other kind had is not kept. */
export function ListKind({ list, entries }: { list: string; entries: unknown }) {
  const { change } = useEditor();
  const { data: sites = [] } = useQuery(sitesQuery);
  const kind = isSitePage(entries) ? 'site' : 'urls';
  if (kind === 'urls' && sites.length === 0) return null;
  const choose = (next: string) =>
    change([
      {
        path: ['urlLists', list],
        value: next === 'site' ? { site: sites[0]?.name ?? '', page: 1 } : [{ url: 'http://' }],
      },
    ]);
  return (
    <SegmentedControl
      size="xs"
      w="fit-content"
      aria-label={`Pages of the list ${list}`}
      data={kinds}
      value={kind}
      onChange={choose}
    />
  );
}

interface SitePageFieldsProps {
  list: string;
  entries: unknown;
  canRemove: boolean;
}

/** A URL list that is one page of a Site. The testbed replays it, with all that the page loads. */
export function SitePageFields({ list, entries, canRemove }: SitePageFieldsProps) {
  const path: Path = ['urlLists', list];
  const { error } = useField(path);
  const site = useField([...path, 'site']);
  const page = useField([...path, 'page']);
  const { data: sites = [] } = useQuery(sitesQuery);
  const name = readText(entries, ['site']);
  const chosen = sites.find((each) => each.name === name);
  const pageNumber = readText(entries, ['page']) || '1';
  const pages = (chosen?.pages ?? []).map(({ number, title, url }) => ({
    value: String(number),
    label: `${number}. ${title || url}`,
  }));
  return (
    <Paper withBorder p="sm" radius="md">
      <Stack gap="sm">
        <ListHead list={list} canRemove={canRemove}>
          {chosen && (
            <Anchor component={Link} to={`/sites/${chosen.id}`} size="sm" px="xs">
              The Site
            </Anchor>
          )}
        </ListHead>
        <ListKind list={list} entries={entries} />
        <FieldsRow least="12rem">
          <Select
            label="Site"
            data={withWritten(
              sites.map((each) => ({ value: each.name, label: each.name })),
              name,
            )}
            value={name === '' ? null : name}
            error={site.error ?? error}
            allowDeselect={false}
            onChange={(next) => next !== null && site.set(next)}
          />
          <Select
            label="Page"
            data={withWritten(pages, pageNumber)}
            value={pageNumber}
            error={page.error}
            allowDeselect={false}
            onChange={(next) => page.set(Number(next))}
          />
        </FieldsRow>
        <Text size="sm" c="dimmed">
          The testbed replays the page with its hosts. Nothing is loaded from elsewhere.
        </Text>
      </Stack>
    </Paper>
  );
}

/** A value that is none of the choices is shown all the same. */
function withWritten(choices: ComboboxItem[], written: string): ComboboxItem[] {
  if (written === '' || choices.some(({ value }) => value === written)) return choices;
  return [...choices, { value: written, label: written }];
}

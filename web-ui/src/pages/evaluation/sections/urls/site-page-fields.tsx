import { Button, Select, Stack, type ComboboxItem } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListedSite } from '#core/protocol/api/stored-site.ts';
import { sitesQuery } from '../../../../api/site-requests.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import type { Path } from '../../editor/path.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';

/** A page of a Site: the testbed replays it, with all that it loads. */
export function SitePageFields({ path, number }: { path: Path; number: number }) {
  const site = useField([...path, 'site']);
  const page = useField([...path, 'page']);
  const { data: sites = [] } = useQuery(sitesQuery);
  const name = typeof site.value === 'string' ? site.value : '';
  const pageNumber = typeof page.value === 'number' ? String(page.value) : '1';
  return (
    <Stack gap={4} role="group" aria-label={`Page of a Site ${number}`}>
      <FieldsRow least="9rem">
        <Select
          label="Site"
          data={withWritten(
            sites.map((each) => ({ value: each.name, label: each.name })),
            name,
          )}
          value={name}
          error={site.error}
          allowDeselect={false}
          onChange={(next) => next !== null && site.set(next)}
        />
        <Select
          label="Page"
          data={withWritten(listPages(sites.find((each) => each.name === name)), pageNumber)}
          value={pageNumber}
          error={page.error}
          allowDeselect={false}
          onChange={(next) => page.set(Number(next))}
        />
      </FieldsRow>
    </Stack>
  );
}

/** Nothing where there is no Site. */
export function AddSitePageButton({ path }: { path: Path }) {
  const { change } = useEditor();
  const { data: sites = [] } = useQuery(sitesQuery);
  const [first] = sites;
  if (!first) return null;
  return (
    <Button size="compact-sm" variant="subtle" onClick={() => change([{ path, value: { site: first.name, page: 1 } }])}>
      Add a page of a Site
    </Button>
  );
}

function listPages(site: ListedSite | undefined): ComboboxItem[] {
  return (site?.pages ?? []).map(({ number, title, url }) => ({
    value: String(number),
    label: `${number}. ${title || url}`,
  }));
}

/** A value that is none of the choices is shown all the same. */
function withWritten(choices: ComboboxItem[], written: string): ComboboxItem[] {
  if (written === '' || choices.some(({ value }) => value === written)) return choices;
  return [...choices, { value: written, label: written }];
}

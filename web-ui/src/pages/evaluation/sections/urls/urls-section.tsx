import { Button, Group, Stack } from '@mantine/core';
import { Section } from '../../../../components/section.tsx';
import { Term } from '../../../../components/terms/term.tsx';
import { findFreeName } from '../../editor/find-free-name.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { readKeys, readPath } from '../../editor/path.ts';
import { UrlListFields } from './url-list-fields.tsx';

/** What is loaded: every URL list, entry by entry. */
export function UrlsSection() {
  const { input, change } = useEditor();
  const lists = readKeys(input, ['urlLists']);
  const add = () => change([{ path: ['urlLists', findFreeName('more pages', lists)], value: [{ url: 'http://' }] }]);
  return (
    <Section
      title="URLs"
      beside={
        <Button size="compact-sm" variant="subtle" onClick={add}>
          Add a list
        </Button>
      }
    >
      <Stack gap="lg">
        {lists.map((list, index) => (
          <UrlListFields
            key={index}
            list={list}
            canRemove={lists.length > 1}
            entries={readPath(input, ['urlLists', list])}
          />
        ))}
        {lists.length === 0 && <Group c="dimmed">No URL list yet.</Group>}
      </Stack>
      <p style={{ margin: 0, fontSize: '0.8125rem', color: 'var(--mantine-color-dimmed)' }}>
        A pattern makes many URLs: <code>{'{1..30}'}</code> counts, <code>{'{5..25..5}'}</code> counts in steps,{' '}
        <code>{'{a,b}'}</code> lists. <code>{'{1}'}</code> in a label or <Term of="variable">variable</Term> is the
        value of the first braces.
      </p>
    </Section>
  );
}

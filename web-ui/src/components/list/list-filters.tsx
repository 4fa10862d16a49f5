import { Button, Group, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mostSearchCharacters } from '#core/protocol/api/run-search.ts';
import { tagsQuery } from '../../api/annotation-requests.ts';
import { useAddress } from './use-address.ts';
import type { OutcomeKind } from '#core/comparison/outcome/run-outcome.ts';

const labels: Record<OutcomeKind, string> = {
  faster: 'faster',
  slower: 'slower',
  equivalent: 'no difference',
  undecided: 'undecided',
  none: 'nothing compared',
};

/** Outcomes to filter a list by. */
const outcomeChoices = Object.entries(labels).map(([value, label]) => ({ value, label }));

interface ListFiltersProps {
  /** What is searched. */
  label: string;
  /** States to filter by, where rows have some. */
  states?: readonly string[];
}

const filters = ['words', 'state', 'outcome', 'tag'];

/** Whether any filter of the list is set. */
export function hasFilters(search: URLSearchParams): boolean {
  return filters.some((name) => search.has(name));
}

/** Search and filters of a list of Runs or Evaluations. The address holds them. */
export function ListFilters({ label, states }: ListFiltersProps) {
  const [search, change] = useAddress();
  const { data: tags = [] } = useQuery(tagsQuery);
  const tag = search.get('tag');
  const choices = [...new Set([...tags.map((used) => used.tag), ...(tag === null ? [] : [tag])])];
  return (
    <Group gap="sm" align="end" role="search" className="no-print">
      <TextInput
        type="search"
        label={label}
        placeholder="Name, note, tag or outcome"
        value={search.get('words') ?? ''}
        onChange={(event) => change({ words: event.currentTarget.value })}
        maxLength={mostSearchCharacters}
        flex="1 1 220px"
        maw={360}
      />
      {states && (
        <Select
          label="State"
          placeholder="any"
          data={states}
          value={search.get('state')}
          onChange={(value) => change({ state: value })}
          clearable
          w={140}
        />
      )}
      <Select
        label="Outcome"
        placeholder="any"
        data={outcomeChoices}
        value={search.get('outcome')}
        onChange={(value) => change({ outcome: value })}
        clearable
        w={170}
      />
      <Select
        label="Tag"
        placeholder="any"
        data={choices}
        value={tag}
        onChange={(value) => change({ tag: value })}
        nothingFoundMessage="No tags yet"
        searchable
        clearable
        w={160}
      />
      {hasFilters(search) && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => change(Object.fromEntries(filters.map((name) => [name, null])))}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

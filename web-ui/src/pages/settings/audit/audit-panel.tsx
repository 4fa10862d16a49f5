import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { auditQuery } from '../../../api/settings-queries.ts';
import { NextPageButton } from '../../../components/next-page-button.tsx';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import { RowsSkeleton } from '../../../components/rows-skeleton.tsx';
import { auditActions } from './audit-actions.ts';
import { AuditTable } from './audit-table.tsx';

const typingPauseMs = 300;
const actions = [
  { value: '', label: 'Everything' },
  ...Object.entries(auditActions).map(([value, label]) => ({ value, label })),
];

/** Who did what. The filter is part of the address, so that it can be shared. */
export function AuditPanel() {
  const [search, setSearch] = useSearchParams();
  const filter = { action: search.get('action') ?? '', text: search.get('text') ?? '' };
  const [settled] = useDebouncedValue(filter, typingPauseMs, { leading: true });
  const query = useInfiniteQuery({ ...auditQuery(settled), placeholderData: (shown) => shown });
  const change = (part: Partial<typeof filter>) =>
    setSearch(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')), {
      replace: true,
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
      {query.error && (
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

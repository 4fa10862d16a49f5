import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeptDays } from '#core/protocol/api/retention.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { storeKeptDays } from '../../api/retention-requests.ts';
import { retentionQuery } from '../../api/settings-queries.ts';
import { KeptDaysFields, readDays, typeDays } from '../../components/kept-days-fields.tsx';
import { Section } from '../../components/section.tsx';

/** How long the data of all Runs are kept. */
export function KeptDaysForm({ days }: { days: KeptDays }) {
  const [typed, setTyped] = useState(() => typeDays(days));
  const queryClient = useQueryClient();
  const read = readDays(typed);
  const saving = useMutation({
    mutationFn: storeKeptDays,
    onSuccess: async () => {
      notifications.show({ title: 'Saved', message: 'Older data are now being deleted.' });
      await queryClient.invalidateQueries(retentionQuery);
    },
  });
  return (
    <Section title="Delete old data">
      <NeedsRole role="admin">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (read) saving.mutate(read);
          }}
        >
          <Stack>
            <Text size="sm" c="dimmed" maw={620}>
              Counted from the end of each Run, of all Evaluations without a setting of their own. What is older is
              deleted within minutes and cannot be restored.
            </Text>
            <KeptDaysFields days={typed} onChange={setTyped} />
            <Group>
              <Button type="submit" variant="default" disabled={read === null} loading={saving.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </NeedsRole>
    </Section>
  );
}

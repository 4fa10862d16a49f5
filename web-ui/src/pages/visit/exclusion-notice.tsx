import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { VisitDetail } from '#core/protocol/api/visit.ts';
import { excludeVisit, reverseExclusion } from '../../api/visits.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';

/** Whether a Visit is left out of the statistics, by whom and why; and a way to leave it out, or to let it count again, which takes a reason too. */
export function ExclusionNotice({ visit }: { visit: VisitDetail }) {
  const { exclusion, id: visitId, runId } = visit;
  const queryClient = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const deciding = useMutation({
    mutationFn: () => (exclusion ? reverseExclusion({ id: exclusion.id, reason }) : excludeVisit({ runId, visitId, reason })),
    onSuccess: async () => {
      close();
      setReason('');
      await Promise.all([queryClient.invalidateQueries({ queryKey: ['visits', visitId] }), queryClient.invalidateQueries({ queryKey: ['runs', runId] })]);
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    deciding.mutate();
  };

  const form = isAsking ? (
    <form onSubmit={submit}>
      <Group align="end" gap="sm" mt="xs">
        <TextInput label={exclusion ? 'Why does it count again?' : 'Why is it left out?'} value={reason} maxLength={2000} required flex={1} data-autofocus onChange={({ currentTarget }) => setReason(currentTarget.value)} />
        <Button type="submit" loading={deciding.isPending} disabled={reason.trim() === ''}>
          {exclusion ? 'Let it count' : 'Exclude'}
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
      {deciding.error && <ProblemAlert title="Nothing was changed" error={deciding.error} />}
    </form>
  ) : (
    <Button variant="default" size="compact-sm" onClick={open}>
      {exclusion ? 'Let it count again' : 'Exclude from the statistics'}
    </Button>
  );
  if (!exclusion) return <div className="no-print">{form}</div>;
  return (
    <Alert color="yellow" variant="light" title="Left out of the statistics">
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {exclusion.reason} ({exclusion.excludedBy}, {exclusion.excludedAt.slice(0, 10)})
      </Text>
      {form}
    </Alert>
  );
}

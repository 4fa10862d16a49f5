import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { excludeVisit, reverseExclusion } from '../../api/visit-requests.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { formatTime } from '../../format/format-times.ts';

interface ExclusionNoticeProps {
  visit: VisitDetail;
  exclusion: NonNullable<VisitDetail['exclusion']>;
}

/** That a Visit is excluded from the statistics, by whom and why; and a form to include it again. */
export function ExclusionNotice({ visit, exclusion }: ExclusionNoticeProps) {
  return (
    <Alert color="yellow" variant="light" title="Excluded from the statistics">
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {exclusion.reason} ({exclusion.excludedBy}, {formatTime(exclusion.excludedAt).slice(0, 10)})
      </Text>
      <ExclusionForm visit={visit} />
    </Alert>
  );
}

/** Excludes a Visit from the statistics, or includes it again. Either needs a reason. */
export function ExclusionForm({ visit }: { visit: VisitDetail }) {
  const { exclusion, id: visitId, runId } = visit;
  const queryClient = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const deciding = useMutation({
    mutationFn: () =>
      exclusion ? reverseExclusion({ id: exclusion.id, reason }) : excludeVisit({ runId, visitId, reason }),
    meta: { showsProblem: true },
    onSuccess: async () => {
      close();
      setReason('');
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['visits', visitId] }),
        queryClient.invalidateQueries({ queryKey: ['runs', runId] }),
      ]);
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    deciding.mutate();
  };

  if (!isAsking) {
    return (
      <NeedsRole role="evaluator">
        <Button variant="default" onClick={open}>
          {exclusion ? 'Include again' : 'Exclude from the statistics'}
        </Button>
      </NeedsRole>
    );
  }
  return (
    <form onSubmit={submit} style={{ flex: '1 0 100%' }}>
      <Group align="end" gap="sm">
        <TextInput
          label={exclusion ? 'Reason to include it' : 'Reason to exclude it'}
          value={reason}
          maxLength={2000}
          required
          flex={1}
          autoFocus
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Button type="submit" loading={deciding.isPending} disabled={reason.trim() === ''}>
          {exclusion ? 'Include' : 'Exclude'}
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
      {deciding.error && <ProblemAlert title="Nothing was changed" error={deciding.error} />}
    </form>
  );
}

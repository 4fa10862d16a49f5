import { Button, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeptDays } from '#core/protocol/api/retention.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { evaluationRetentionQuery, storeEvaluationRetention } from '../../api/retention-requests.ts';
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx';
import { KeptDaysFields, readDays, typeDays } from '../../components/kept-days-fields.tsx';
import { QueryContent } from '../../components/query-content.tsx';

/** How long the data of this Evaluation's Runs are kept. */
export function RetentionButton({ evaluationId }: { evaluationId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const query = useQuery({ ...evaluationRetentionQuery(evaluationId), enabled: isOpen });
  return (
    <NeedsRole role="admin">
      <Button size="compact-sm" fw={400} variant="subtle" onClick={open}>
        Retention
      </Button>
      <FormDialog title="How long the data of its Runs are kept" isOpen={isOpen} onClose={close}>
        <QueryContent query={query} what="The retention" skeleton={<Skeleton height={160} />}>
          {({ days }) => <RetentionForm evaluationId={evaluationId} days={days} onDone={close} />}
        </QueryContent>
      </FormDialog>
    </NeedsRole>
  );
}

const permanently: KeptDays = { snapshotDays: null, visitDays: null };

function RetentionForm({
  evaluationId,
  days,
  onDone,
}: {
  evaluationId: string;
  days: KeptDays | null;
  onDone: () => void;
}) {
  const [isOwn, setIsOwn] = useState(days !== null);
  const [typed, setTyped] = useState(() => typeDays(days ?? permanently));
  const queryClient = useQueryClient();
  const read = readDays(typed);
  const saving = useMutation({
    mutationFn: () => storeEvaluationRetention(evaluationId, { days: isOwn ? read : null }),
    meta: { showsProblem: true },
    onSuccess: async () => {
      onDone();
      await queryClient.invalidateQueries(evaluationRetentionQuery(evaluationId));
    },
  });
  return (
    <DialogForm
      onSubmit={() => saving.mutate()}
      submitLabel="Save"
      isComplete={!isOwn || read !== null}
      isPending={saving.isPending}
      error={saving.error}
      errorTitle="The retention was not saved"
    >
      <Radio.Group label="Retention" value={isOwn ? 'own' : 'all'} onChange={(value) => setIsOwn(value === 'own')}>
        <Stack gap="xs" mt="xs">
          <Radio value="all" label="As for all Evaluations: see Settings → Retention" />
          <Radio value="own" label="Days of its own" />
        </Stack>
      </Radio.Group>
      {isOwn && <KeptDaysFields days={typed} onChange={setTyped} />}
      <Text size="sm" c="dimmed">
        Counted from the end of each Run. What is older is deleted within minutes and cannot be restored.
      </Text>
    </DialogForm>
  );
}

import { Anchor, Button, Tabs, Stack, Text, Radio, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import type { StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { tagsQuery } from '../../api/annotation-requests.ts';
import { annotateEvaluation } from '../../api/evaluation-requests.ts';
import { evaluationQuery } from '../../api/queries.ts';
import { AnnotationSection } from '../../components/annotation/annotation-section.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { DeleteEvaluationButton } from '../evaluations/delete-evaluation-button.tsx';
import { TabLink } from '../../components/tab-link.tsx';
import { TrendView } from './trend/trend-view.tsx';
import { forgetDraft } from './editor/use-editor-state.ts';
import { StoredEvaluationEditor } from './stored-evaluation-editor.tsx';
import { RunList } from '../../components/run/run-list.tsx';
import { notifications } from '@mantine/notifications';
import { deleteEvaluationWithRuns } from '../../api/deletion-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { LostData } from '../../components/run/lost-data.tsx';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { KeptDays } from '#core/protocol/api/retention.ts';
import { evaluationRetentionQuery, storeEvaluationRetention } from '../../api/retention-requests.ts';
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx';
import { KeptDaysFields, readDays, typeDays } from '../../components/kept-days-fields.tsx';

const permanently: KeptDays = { snapshotDays: null, visitDays: null };

/** By their name in the address. */
const views = { configure: 'What will be measured', runs: 'Runs', trend: 'Trend' };

/** What will be measured? */
export function EvaluationPage() {
  const { evaluationId = '' } = useParams();
  const query = useQuery(evaluationQuery(evaluationId));
  return (
    <QueryContent query={query} what="The Evaluation" parent={{ to: '/', label: 'Evaluations' }}>
      {(evaluation) => <EvaluationContent key={evaluation.id} evaluation={evaluation} />}
    </QueryContent>
  );
}

function EvaluationContent({ evaluation }: { evaluation: StoredEvaluation }) {
  const { id, document, changedFromRun } = evaluation;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [search] = useSearchParams();
  const asked = search.get('view');
  const view = asked !== null && Object.hasOwn(views, asked) ? asked : 'configure';
  // Known at once, before the page that is being left is drawn again.
  const isLeaving = useRef(false);
  const leave = () => {
    isLeaving.current = true;
  };
  const leaveDeleted = async () => {
    leave();
    await navigate('/');
  };
  return (
    <>
      <PageHeader
        title={document.name}
        parent={{ to: '/', label: 'Evaluations' }}
        description={
          <>
            {document.description}
            {changedFromRun !== null && (
              <div>
                Changed from{' '}
                <Anchor component={Link} to={`/runs/${changedFromRun}`} inherit underline="always">
                  Run {changedFromRun}
                </Anchor>
              </div>
            )}
          </>
        }
        actions={
          <>
            <DeleteEvaluationButton
              evaluation={{ id, name: document.name }}
              onDeleted={() => void leaveDeleted()}
              size="sm"
            />
            <DeleteWithRunsButton evaluation={{ id, name: document.name }} onDeleted={leaveDeleted} />
            <RetentionButton evaluationId={id} />
            <Button component="a" href={`/api/evaluations/${encodeURIComponent(id)}.yaml`} download variant="default">
              Download YAML
            </Button>
            <NeedsRole role="evaluator">
              <Button component={Link} to={`/evaluations/new?copy=${id}`} variant="default">
                Duplicate
              </Button>
            </NeedsRole>
          </>
        }
      />
      <AnnotationSection
        annotation={evaluation}
        store={async (annotation) => {
          queryClient.setQueryData(evaluationQuery(id).queryKey, await annotateEvaluation(id, annotation));
          await Promise.all([
            queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true }),
            queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey }),
          ]);
        }}
      />
      <Tabs value={view}>
        <Tabs.List mb={28}>
          {Object.entries(views).map(([value, label]) => (
            <TabLink key={value} value={value} to={value === 'configure' ? '.' : `?view=${value}`} replace>
              {label}
            </TabLink>
          ))}
        </Tabs.List>
        <Tabs.Panel
          value="configure"
          style={{ display: view === 'configure' ? 'flex' : 'none', flexDirection: 'column', gap: 24 }}
        >
          <StoredEvaluationEditor stored={evaluation} isLeaving={() => isLeaving.current} onLeave={leave} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">{view === 'runs' && <EvaluationRuns evaluationId={id} />}</Tabs.Panel>
        <Tabs.Panel value="trend">{view === 'trend' && <TrendView evaluationId={id} document={document} />}</Tabs.Panel>
      </Tabs>
    </>
  );
}

/** The Runs of one Evaluation, the newest first unless sorted. */
function EvaluationRuns({ evaluationId }: { evaluationId: string }) {
  return (
    <Stack>
      <RunList evaluationId={evaluationId} empty={<Text c="dimmed">No Run yet. Press Run to start one.</Text>} />
    </Stack>
  );
}

interface DeleteWithRunsButtonProps {
  evaluation: { id: string; name: string };
  onDeleted: () => Promise<void>;
}

/** Deletes an Evaluation and all of its Runs for good. */
function DeleteWithRunsButton({ evaluation: { id, name }, onDeleted }: DeleteWithRunsButtonProps) {
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteEvaluationWithRuns(id),
    onSuccess: async () => {
      notifications.show({ title: 'Deleted', message: `“${name}” was deleted with its Runs.` });
      await onDeleted();
      forgetDraft(id);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true }),
        queryClient.invalidateQueries({ queryKey: ['runs'] }),
      ]);
    },
  });
  return (
    <NeedsRole role="evaluator">
      <ConfirmButton
        color="gray"
        c="dimmed"
        fw={400}
        title={`Delete ${name} with its Runs?`}
        consequence={<LostData what="evaluations" id={id} />}
        loading={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      >
        Delete with Runs
      </ConfirmButton>
    </NeedsRole>
  );
}

/** How long the data of this Evaluation's Runs are kept. */
function RetentionButton({ evaluationId }: { evaluationId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const query = useQuery({ ...evaluationRetentionQuery(evaluationId), enabled: isOpen });
  return (
    <NeedsRole role="admin">
      <Button variant="default" onClick={open}>
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
    onSuccess: (stored) => {
      queryClient.setQueryData(evaluationRetentionQuery(evaluationId).queryKey, stored);
      onDone();
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

import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { createEvaluation } from '../../api/evaluation-requests.ts';
import { agentsQuery } from '../../api/queries.ts';
import { startRun } from '../../api/run-requests.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Term } from '../../components/terms/term.tsx';
import { useEditorState, forgetDraft, readDraft } from '../evaluation/editor/use-editor-state.ts';
import { EvaluationEditor } from '../evaluation/evaluation-editor.tsx';
import { goToProblems } from '../evaluation/go-to-problems.ts';
import { LeaveGuard } from '../evaluation/leave-guard.tsx';
import { findMissing } from '../evaluation/side/check-readiness.ts';
import { StartButton } from '../evaluation/start-button.tsx';

interface NewEvaluationProps {
  /** The text to begin with, unless a draft was kept. */
  start: string;
  /** What a text equals that holds no work of the evaluator. */
  original: string;
  /** What was typed and not stored is kept under this. */
  draftOf: string;
  /** The Run whose Evaluation it is a change of. */
  changedFromRun?: string;
  /** In place of going back to how it began. */
  onStartOver?: () => void;
}

/** The editor of what is not stored yet. */
export function NewEvaluation({ start, original, draftOf, changedFromRun, onStartOver }: NewEvaluationProps) {
  const [draft] = useState(() => readDraft(draftOf));
  const [base] = useState({ original, version: null });
  const [state, dispatch] = useEditorState({ draftOf, base, initial: draft?.text ?? start });
  const [isDraftNoted, setIsDraftNoted] = useState(draft !== null);
  const isLeaving = useRef(false);
  const { data: agents } = useQuery(agentsQuery);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isChanged = state.text !== original;
  const leaveFor = async (path: string) => {
    isLeaving.current = true;
    forgetDraft(draftOf);
    await navigate(path);
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true }),
      queryClient.invalidateQueries({ queryKey: ['runs'], exact: true }),
    ]);
  };
  const storing = useMutation({
    mutationFn: (text: string) => createEvaluation(text, changedFromRun),
    meta: { showsProblem: true },
  });
  const starting = useMutation({
    mutationFn: startRun,
    onSuccess: (run) => leaveFor(`/runs/${run.id}`),
    // It is stored all the same: where it can be run again.
    onError: (_, id) => leaveFor(`/evaluations/${id}`),
  });
  const store = (afterwards: (id: string) => void) => {
    if (state.evaluation) storing.mutate(state.text, { onSuccess: ({ id }) => afterwards(id) });
    else goToProblems();
  };
  // Once it is stored, another page is on its way: a second press would store it twice.
  const isBusy = storing.isPending || storing.isSuccess;

  return (
    <>
      <LeaveGuard
        hasChanges={() => isChanged && !isLeaving.current}
        onDiscard={() => {
          isLeaving.current = true;
          forgetDraft(draftOf);
        }}
      />
      <PageHeader
        title="New Evaluation"
        parent={
          changedFromRun === undefined
            ? { to: '/', label: 'Evaluations' }
            : { to: `/runs/${changedFromRun}`, label: `Run ${changedFromRun}` }
        }
        description={
          changedFromRun === undefined ? (
            <>
              An Evaluation lists pages, <Term of="userAgent">User Agents</Term> that load them,{' '}
              <Term of="scenario">Scenarios</Term> to compare, and the number of Rounds. The form and the YAML always
              agree.
            </>
          ) : (
            `This is what Run ${changedFromRun} measured. Change one thing, then run it. The new Run links to Run ${changedFromRun}, to compare both.`
          )
        }
      />
      <EvaluationEditor
        state={state}
        dispatch={dispatch}
        evaluationId={null}
        changedFromRun={changedFromRun}
        isChanged={isChanged}
        isStoring={isBusy}
        refusal={storing.error && { error: storing.error, text: storing.variables }}
        discard={onStartOver ? 'Start over' : 'Discard changes'}
        onDiscard={() => {
          forgetDraft(draftOf);
          if (onStartOver) onStartOver();
          else dispatch({ kind: 'write', text: original });
        }}
        actions={
          <>
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() => store((id) => void leaveFor(`/evaluations/${id}`))}
            >
              Save
            </Button>
            <StartButton
              loading={isBusy}
              missing={findMissing(state.evaluation, agents)}
              onStart={() => store((id) => starting.mutate(id))}
              aria-label="Save and run"
            >
              Save and run
            </StartButton>
          </>
        }
        notice={
          <>
            {storing.error && <ProblemAlert title="Not saved" error={storing.error} />}
            {isDraftNoted && (
              <Alert
                variant="light"
                p="xs"
                withCloseButton
                closeButtonLabel="Close"
                onClose={() => setIsDraftNoted(false)}
              >
                <Group gap="xs">
                  <Text size="sm">Restored from your unsaved draft.</Text>
                </Group>
              </Alert>
            )}
          </>
        }
      />
    </>
  );
}

import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { z } from 'zod';
import { createEvaluation } from '../../api/evaluations.ts';
import { agentsQuery, evaluationQuery } from '../../api/queries.ts';
import { startRun } from '../../api/runs.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Term } from '../../components/term.tsx';
import { changeYaml } from '../evaluation/editor/change-yaml.ts';
import { forgetDraft, readDraft } from '../evaluation/editor/draft-store.ts';
import { useEditorState } from '../evaluation/editor/use-editor-state.ts';
import { writeEvaluation } from '../evaluation/editor/write-evaluation.ts';
import { EvaluationEditor } from '../evaluation/evaluation-editor.tsx';
import { goToProblems } from '../evaluation/go-to-problems.ts';
import { LeaveGuard } from '../evaluation/leave-guard.tsx';
import { findMissing } from '../evaluation/side/check-readiness.ts';
import { StartButton } from '../evaluation/start-button.tsx';
import { Questions } from './questions.tsx';

/** The text of a file that was opened on the page before. */
const ImportSchema = z.object({ yaml: z.string() });

/** A new Evaluation: from the answers to three questions, as a copy of another one (`?copy=ID`), or from a YAML file. */
export function NewEvaluationPage() {
  const location = useLocation();
  const imported = ImportSchema.safeParse(location.state);
  const [search] = useSearchParams();
  const copied = search.get('copy');
  // The key is that of the opening in the history of the tab: coming back is the same file, opening it once more is another.
  if (imported.success) return <NewEvaluation key={location.key} start={imported.data.yaml} original={imported.data.yaml} draftOf={`import ${location.key}`} />;
  return copied === null ? <FromQuestions /> : <Copy key={copied} id={copied} />;
}

const ownDraft = 'new';

function FromQuestions() {
  const query = useQuery(agentsQuery);
  // What was begun in this tab is gone on with.
  const [start, setStart] = useState(() => readDraft(ownDraft)?.text ?? null);
  const begin = (yaml: string | null) => {
    setStart(yaml);
    window.scrollTo({ top: 0 });
  };
  if (start !== null) return <NewEvaluation start={start} original="" draftOf={ownDraft} onStartOver={() => begin(null)} />;
  return (
    <QueryContent query={query} what="The hosts">
      {(agents) => <Questions agents={agents} onAnswer={begin} />}
    </QueryContent>
  );
}

function Copy({ id }: { id: string }) {
  const query = useQuery(evaluationQuery(id));
  return (
    <QueryContent query={query} what="The Evaluation">
      {({ document }) => {
        const copy = changeYaml(writeEvaluation(document), [{ path: ['name'], value: `${document.name} (copy)`.slice(-80) }]);
        return <NewEvaluation start={copy} original={copy} draftOf={`copy of ${id}`} />;
      }}
    </QueryContent>
  );
}

interface NewEvaluationProps {
  /** The text to begin with, unless a draft was kept. */
  start: string;
  /** What a text equals that holds no work of the evaluator. */
  original: string;
  /** What was typed and not stored is kept under this. */
  draftOf: string;
  /** In place of going back to how it began. */
  onStartOver?: () => void;
}

function NewEvaluation({ start, original, draftOf, onStartOver }: NewEvaluationProps) {
  const [draft] = useState(() => readDraft(draftOf));
  const [base] = useState({ original, version: null });
  const [state, dispatch] = useEditorState({ draftOf, base, initial: draft?.text ?? start });
  const [isDraftTold, setIsDraftTold] = useState(draft !== null);
  const isLeaving = useRef(false);
  const { data: agents } = useQuery(agentsQuery);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isChanged = state.text !== original;
  const leaveFor = async (path: string) => {
    isLeaving.current = true;
    forgetDraft(draftOf);
    await navigate(path);
    await Promise.all([queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true }), queryClient.invalidateQueries({ queryKey: ['runs'], exact: true })]);
  };
  const storing = useMutation({ mutationFn: () => createEvaluation(state.text), meta: { showsProblem: true } });
  const starting = useMutation({
    mutationFn: startRun,
    onSuccess: (run) => leaveFor(`/runs/${run.id}`),
    // It is stored all the same: where it can be run again.
    onError: (_, id) => leaveFor(`/evaluations/${id}`),
  });
  const store = (afterwards: (id: string) => void) => {
    if (state.evaluation) storing.mutate(undefined, { onSuccess: ({ id }) => afterwards(id) });
    else goToProblems();
  };
  const isBusy = storing.isPending || starting.isPending;

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
        parent={{ to: '/', label: 'Evaluations' }}
        description={
          <>
            Which pages are loaded, under which <Term of="scenario">Scenarios</Term>, by which <Term of="userAgent">User Agents</Term>, how often. Change what
            is here; the YAML beside it is always the same.
          </>
        }
      />
      <EvaluationEditor
        state={state}
        dispatch={dispatch}
        evaluationId={null}
        isChanged={isChanged}
        discard={onStartOver ? 'Start over' : 'Discard changes'}
        onDiscard={() => {
          forgetDraft(draftOf);
          if (onStartOver) onStartOver();
          else dispatch({ kind: 'write', text: original });
        }}
        actions={
          <>
            <Button variant="default" disabled={isBusy} onClick={() => store((id) => void leaveFor(`/evaluations/${id}`))}>
              Store
            </Button>
            <StartButton
              loading={isBusy}
              missing={findMissing(state.evaluation, agents)}
              onStart={() => store((id) => starting.mutate(id))}
              aria-label="Store and run"
            >
              Store and run
            </StartButton>
          </>
        }
        notice={
          <>
            {storing.error && <ProblemAlert title="Not stored" error={storing.error} />}
            {isDraftTold && (
              <Alert variant="light" p="xs" withCloseButton closeButtonLabel="Close" onClose={() => setIsDraftTold(false)}>
                <Group gap="xs">
                  <Text size="sm">This is what you typed here before and did not store.</Text>
                </Group>
              </Alert>
            )}
          </>
        }
      />
    </>
  );
}

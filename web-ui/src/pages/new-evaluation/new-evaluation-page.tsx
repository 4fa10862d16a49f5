import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { z } from 'zod';
import { createEvaluation } from '../../api/evaluations.ts';
import { agentsQuery, evaluationQuery } from '../../api/queries.ts';
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
import { makeTemplate } from './template.ts';

/** The text of a file that was opened on the page before. */
const ImportSchema = z.object({ yaml: z.string() });

/** A new Evaluation: from the template, as a copy of another one (`?copy=ID`), or from a YAML file. */
export function NewEvaluationPage() {
  const location = useLocation();
  const imported = ImportSchema.safeParse(location.state);
  const [search] = useSearchParams();
  const copied = search.get('copy');
  // The key is that of the opening in the history of the tab: coming back is the same file, opening it once more is another.
  if (imported.success) return <NewEvaluation key={location.key} start={imported.data.yaml} draftOf={`import ${location.key}`} />;
  return copied === null ? <FromTemplate /> : <Copy key={copied} id={copied} />;
}

function FromTemplate() {
  const query = useQuery(agentsQuery);
  const [start, setStart] = useState<string | null>(null);
  // The template names a host that is connected now, and stays as it is when another one comes.
  if (start === null && query.data) setStart(makeTemplate(query.data));
  return (
    <QueryContent query={query} what="The template">
      {() => start !== null && <NewEvaluation start={start} draftOf="new" />}
    </QueryContent>
  );
}

function Copy({ id }: { id: string }) {
  const query = useQuery(evaluationQuery(id));
  return (
    <QueryContent query={query} what="The Evaluation">
      {({ document }) => <NewEvaluation start={changeYaml(writeEvaluation(document), [{ path: ['name'], value: `${document.name} (copy)`.slice(-80) }])} draftOf={`copy of ${id}`} />}
    </QueryContent>
  );
}

interface NewEvaluationProps {
  start: string;
  /** What was typed and not stored is kept under this. */
  draftOf: string;
}

function NewEvaluation({ start, draftOf }: NewEvaluationProps) {
  const [draft] = useState(() => readDraft(draftOf));
  const [base] = useState({ original: start, version: null });
  const [state, dispatch] = useEditorState({ draftOf, base, initial: draft?.text ?? start });
  const [isDraftTold, setIsDraftTold] = useState(draft !== null);
  const isLeaving = useRef(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isChanged = state.text !== start;
  const storing = useMutation({
    mutationFn: () => createEvaluation(state.text),
    meta: { showsProblem: true },
    onSuccess: async ({ id }) => {
      isLeaving.current = true;
      forgetDraft(draftOf);
      await navigate(`/evaluations/${id}`);
      await queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true });
    },
  });

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
        onDiscard={() => dispatch({ kind: 'write', text: start })}
        actions={
          <Button loading={storing.isPending} onClick={() => (state.evaluation ? storing.mutate() : goToProblems())}>
            Store
          </Button>
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

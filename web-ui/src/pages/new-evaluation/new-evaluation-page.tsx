import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState, lazy, Suspense, type ComponentProps } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { z } from 'zod';
import { type EvaluationDocument, expandDocument } from '#core/evaluation/evaluation-document.ts';
import { agentsQuery, evaluationQuery, evaluationsQuery, studiesQuery, runQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { changeYaml, listChanges } from '../evaluation/editor/change-yaml.ts';
import { readDraft } from '../evaluation/editor/use-editor-state.ts';
import { findFreeTitle } from '../evaluation/editor/find-free-name.ts';
import { writeEvaluation } from '../evaluation/editor/write-evaluation.ts';
import { Questions } from './questions.tsx';
import { StudyList } from './study-list.tsx';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { loadPage } from '../../components/load-page.ts';

const loadEditor = () => loadPage(() => import('./new-evaluation.tsx'));
const Editor = lazy(async () => ({ default: (await loadEditor()).NewEvaluation }));

/** The text of a file that was opened on the page before. */
const ImportSchema = z.object({ yaml: z.string() });

/** A new Evaluation: from the answers to three questions, as a copy of another one (`?copy=ID`), as a change of what a Run measured (`?run=ID`), or from a YAML file. */
export function NewEvaluationPage() {
  const location = useLocation();
  const imported = ImportSchema.safeParse(location.state);
  const [search] = useSearchParams();
  const copied = search.get('copy');
  const changed = search.get('run');
  // The key is that of the opening in the history of the tab: coming back is the same file, opening it once more is another.
  if (imported.success)
    return (
      <LoadedEditor
        key={location.key}
        start={imported.data.yaml}
        original={imported.data.yaml}
        draftOf={`import ${location.key}`}
      />
    );
  if (changed !== null) return <ChangeOfRun key={changed} runId={changed} />;
  return copied === null ? <FromQuestions /> : <Copy key={copied} id={copied} />;
}

const ownDraft = 'new';
/** Longer than the page takes to show itself. */
const loadAheadAfterMs = 1500;

function FromQuestions() {
  const query = useQuery(agentsQuery);
  // Requested together, so that the page is whole at once.
  usePrefetchQuery(studiesQuery);
  // The name of the draft is one that no other has, so that it waits for their list.
  const evaluations = useQuery(evaluationsQuery);
  // A draft of this tab is continued.
  const [start, setStart] = useState(() => readDraft(ownDraft)?.text ?? null);
  const begin = (yaml: string | null) => {
    setStart(yaml);
    window.scrollTo({ top: 0 });
  };
  useEffect(() => {
    // Once the questions are there to be read. An error is shown when the editor is needed.
    const timer = setTimeout(() => void loadEditor().catch(() => undefined), loadAheadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (start !== null)
    return <LoadedEditor start={start} original="" draftOf={ownDraft} onStartOver={() => begin(null)} />;
  return (
    <>
      <PageHeader
        title="New Evaluation"
        parent={{ to: '/', label: 'Evaluations' }}
        description="Answer three questions to get a draft. You can change it before the Run."
      />
      <QueryContent query={query} what="The hosts">
        {(agents) => (
          <QueryContent query={evaluations} what="The names of other Evaluations">
            {(others) => (
              <>
                <Questions agents={agents} takenNames={others.map(({ name }) => name)} onAnswer={begin} />
                <StudyList onChoose={begin} />
              </>
            )}
          </QueryContent>
        )}
      </QueryContent>
      {(query.isLoadingError || evaluations.isLoadingError) && <StudyList onChoose={begin} />}
    </>
  );
}

function Copy({ id }: { id: string }) {
  const query = useQuery(evaluationQuery(id));
  const { data: evaluations } = useQuery(evaluationsQuery);
  return (
    <QueryContent query={query} what="The Evaluation">
      {({ document }) =>
        evaluations ? (
          <CopyOf id={id} document={document} takenNames={evaluations.map(({ name }) => name)} />
        ) : (
          <RowsSkeleton />
        )
      }
    </QueryContent>
  );
}

function CopyOf({
  id,
  document,
  takenNames,
}: {
  id: string;
  document: EvaluationDocument;
  takenNames: readonly string[];
}) {
  // Of the names that were taken when it was opened.
  const [copy] = useState(() =>
    changeYaml(writeEvaluation(document), [{ path: ['name'], value: findFreeTitle(document.name, takenNames) }]),
  );
  return <LoadedEditor start={copy} original={copy} draftOf={`copy of ${id}`} />;
}

/** What a Run measured, as a new Evaluation to change. */
function ChangeOfRun({ runId }: { runId: string }) {
  const query = useQuery(runQuery(runId));
  return (
    <QueryContent query={query} what="The Run" parent={{ to: '/runs', label: 'Runs' }}>
      {(run) => <WithStored run={run} />}
    </QueryContent>
  );
}

function WithStored({ run }: { run: RunDetail }) {
  const { data: evaluations } = useQuery(evaluationsQuery);
  // Deleted ones are not listed, and need no request.
  const isStored = evaluations?.some(({ id }) => id === run.evaluationId) === true;
  const { data: stored, error } = useQuery({ ...evaluationQuery(run.evaluationId), enabled: isStored });
  if (!evaluations || (isStored && !stored && !error)) return <RowsSkeleton />;
  return (
    <Draft
      runId={run.id}
      document={stored && isAsMeasured(stored.document, run) ? stored.document : run.evaluation}
      takenNames={evaluations.map(({ name }) => name)}
    />
  );
}

/** The stored Evaluation has its sweeps, which that of a Run no longer has. */
function isAsMeasured(document: EvaluationDocument, { evaluation }: RunDetail): boolean {
  return listChanges(expandDocument(document), evaluation).length === 0;
}

function Draft({
  runId,
  document,
  takenNames,
}: {
  runId: string;
  document: EvaluationDocument;
  takenNames: readonly string[];
}) {
  // As it was when it was opened.
  const [text] = useState(() =>
    changeYaml(writeEvaluation(document), [{ path: ['name'], value: findFreeTitle(document.name, takenNames) }]),
  );
  return <LoadedEditor start={text} original={text} draftOf={`change of Run ${runId}`} changedFromRun={runId} />;
}

/** The editor is much more than the questions, which come first: it is fetched while they are read. */
function LoadedEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Editor {...props} />
    </Suspense>
  );
}

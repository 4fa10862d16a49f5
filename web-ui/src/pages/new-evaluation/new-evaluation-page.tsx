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
import { loadPage } from '../../api/load-page.ts';

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
const parent = { to: '/', label: 'Evaluations' };
const otherNames = 'The names of other Evaluations';
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
        parent={parent}
        description="Answer three questions to get a draft. You can change it before the Run."
      />
      <QueryContent query={query} what="The hosts">
        {(agents) => (
          <QueryContent query={evaluations} what={otherNames}>
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

/** Another Evaluation, to begin with. */
function Copy({ id }: { id: string }) {
  const query = useQuery(evaluationQuery(id));
  const others = useQuery(evaluationsQuery);
  return (
    <QueryContent query={query} what="The Evaluation" parent={parent}>
      {({ document }) => (
        <QueryContent query={others} what={otherNames} parent={parent}>
          {(evaluations) => <Renamed document={document} others={evaluations} draftOf={`copy of ${id}`} />}
        </QueryContent>
      )}
    </QueryContent>
  );
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
  const others = useQuery(evaluationsQuery);
  // Deleted ones are not listed, and need no request.
  const isStored = others.data?.some(({ id }) => id === run.evaluationId) === true;
  const { data: stored, error } = useQuery({ ...evaluationQuery(run.evaluationId), enabled: isStored });
  return (
    <QueryContent query={others} what={otherNames} parent={{ to: `/runs/${run.id}`, label: `Run ${run.id}` }}>
      {(evaluations) =>
        isStored && !stored && !error ? (
          <RowsSkeleton />
        ) : (
          <Renamed
            document={stored && isAsMeasured(stored.document, run) ? stored.document : run.evaluation}
            others={evaluations}
            draftOf={`change of Run ${run.id}`}
            changedFromRun={run.id}
          />
        )
      }
    </QueryContent>
  );
}

/** The stored Evaluation has its sweeps, which that of a Run no longer has. */
function isAsMeasured(document: EvaluationDocument, { evaluation }: RunDetail): boolean {
  return listChanges(expandDocument(document), evaluation).length === 0;
}

interface RenamedProps extends Pick<ComponentProps<typeof Editor>, 'draftOf' | 'changedFromRun'> {
  document: EvaluationDocument;
  others: readonly { name: string }[];
}

/** What there is already, under a name that no other has. */
function Renamed({ document, others, ...of }: RenamedProps) {
  // As it was when it was opened, and of the names that were taken then.
  const [text] = useState(() => {
    const name = findFreeTitle(
      document.name,
      others.map((other) => other.name),
    );
    return changeYaml(writeEvaluation(document), [{ path: ['name'], value: name }]);
  });
  return <LoadedEditor start={text} original={text} {...of} />;
}

/** The editor is much more than the questions, which come first: it is fetched while they are read. */
function LoadedEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Editor {...props} />
    </Suspense>
  );
}

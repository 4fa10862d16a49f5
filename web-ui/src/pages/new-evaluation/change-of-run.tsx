import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { expandDocument, type EvaluationDocument } from '#core/evaluation/evaluation-document.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { evaluationQuery, evaluationsQuery, runQuery } from '../../api/queries.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { changeYaml } from '../evaluation/editor/change-yaml.ts';
import { listChanges } from '../evaluation/editor/compare-documents.ts';
import { findFreeTitle } from '../evaluation/editor/find-free-title.ts';
import { writeEvaluation } from '../evaluation/editor/write-evaluation.ts';
import { LoadedEditor } from './loaded-editor.tsx';

/** What a Run measured, as a new Evaluation to change. */
export function ChangeOfRun({ runId }: { runId: string }) {
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

import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState, useRef, lazy, Suspense, type ComponentProps } from 'react';
import { useLocation, useSearchParams, Link } from 'react-router';
import { z } from 'zod';
import { type EvaluationDocument, expandDocument } from '#core/evaluation/evaluation-document.ts';
import {
  agentsQuery,
  evaluationQuery,
  evaluationsQuery,
  studiesQuery,
  runQuery,
  studyHash,
  studyPicture,
} from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { changeYaml } from '../evaluation/editor/change-yaml.ts';
import { readDraft } from '../evaluation/editor/use-editor-state.ts';
import { findFreeTitle } from '../evaluation/editor/find-free-name.ts';
import { writeEvaluation } from '../evaluation/editor/write-evaluation.ts';
import { Questions } from './questions.tsx';
import { Anchor, Stack, Text, Title, Button, Group, Image, Paper, Select } from '@mantine/core';
import type { StudySummary } from '#core/protocol/api/studies.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { listChanges } from '../evaluation/editor/compare-documents.ts';
import { loadPage } from '../../components/load-page.ts';

const loadEditor = () => loadPage(() => import('./new-evaluation.tsx'));
const Editor = lazy(async () => ({ default: (await loadEditor()).NewEvaluation }));

/** About as much as the cards take. */
const placeOfCards = <RowsSkeleton rows={15} heightPx={150} />;

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
  const { data: evaluations = [] } = useQuery(evaluationsQuery);
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
          <>
            <Questions agents={agents} takenNames={evaluations.map(({ name }) => name)} onAnswer={begin} />
            <StudyList onChoose={begin} />
          </>
        )}
      </QueryContent>
      {query.isLoadingError && <StudyList onChoose={begin} />}
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

/** The studies that come with HTTP-AE, each to start an Evaluation from. */
function StudyList({ onChoose }: { onChoose: (yaml: string) => void }) {
  const query = useQuery(studiesQuery);
  return (
    <Stack component="section" gap="xs" maw={820} mt={32}>
      <Title order={2}>Or start from a study</Title>
      <Text size="sm" c="dimmed">
        Case studies of the papers. They need a testbed with an origin.{' '}
        <Anchor component={Link} to="/help/studies/README" size="sm" underline="always">
          One command runs a whole study
        </Anchor>
      </Text>
      <QueryContent query={query} what="The studies" skeleton={placeOfCards}>
        {(studies) => (
          <Stack gap="xs">
            {studies.map((study) => (
              <StudyCard key={study.name} study={study} onChoose={onChoose} />
            ))}
          </Stack>
        )}
      </QueryContent>
    </Stack>
  );
}

/** A study with its picture; one of its parts becomes the draft of an Evaluation. */
function StudyCard({ study, onChoose }: { study: StudySummary; onChoose: (yaml: string) => void }) {
  const { name, title, summary, papers, parts } = study;
  const [chosen, setChosen] = useState(parts[0]!.name);
  const { hash } = useLocation();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hash === studyHash(name)) card.current?.scrollIntoView();
  }, [hash, name]);
  const part = parts.find((each) => each.name === chosen)!;
  return (
    <Paper withBorder p="sm" ref={card}>
      <Group align="flex-start" wrap="nowrap">
        <Image src={studyPicture(name)} alt="" w={128} h={72} radius="sm" visibleFrom="xs" />
        <Stack gap={6} flex={1}>
          <Title order={3} size="h4">
            {title}
          </Title>
          <Text size="sm">{summary}</Text>
          <Text size="sm" c="dimmed">
            {papers.map((paper) => `${paper.name}, ${paper.figures}`).join('; ')}
          </Text>
          <Group gap="xs">
            <Select
              aria-label={`Part of ${name}`}
              size="xs"
              w={240}
              data={parts.map((each) => ({ value: each.name, label: `${each.name}, about ${each.minutes} min` }))}
              value={chosen}
              onChange={(value) => value && setChosen(value)}
              allowDeselect={false}
            />
            <Button size="xs" variant="default" onClick={() => onChoose(part.evaluation)}>
              Create draft from this part
            </Button>
          </Group>
        </Stack>
      </Group>
    </Paper>
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

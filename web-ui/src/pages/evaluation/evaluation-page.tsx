import { Anchor, Button, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import type { StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { annotateEvaluation, tagsQuery } from '../../api/annotation-requests.ts';
import { evaluationQuery } from '../../api/queries.ts';
import { AnnotationSection } from '../../components/annotation/annotation-section.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { DeleteEvaluationButton } from '../evaluations/delete-evaluation-button.tsx';
import { DeleteWithRunsButton } from './delete-with-runs-button.tsx';
import { EvaluationRuns } from './evaluation-runs.tsx';
import { TrendView } from './trend/trend-view.tsx';
import { RetentionButton } from './retention-button.tsx';
import { StoredEvaluationEditor } from './stored-evaluation.tsx';

const views = ['configure', 'runs', 'trend'] as const;

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
  const [search, setSearch] = useSearchParams();
  const view = views.find((each) => each === search.get('view')) ?? 'configure';
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
            <Anchor href={`/api/evaluations/${encodeURIComponent(id)}.yaml`} download size="sm" px="xs">
              Download YAML
            </Anchor>
            <NeedsRole role="evaluator">
              <Button component={Link} to={`/evaluations/new?copy=${id}`} size="compact-sm" fw={400} variant="subtle">
                Duplicate
              </Button>
            </NeedsRole>
            <RetentionButton evaluationId={id} />
            <DeleteEvaluationButton evaluation={{ id, name: document.name }} onDeleted={() => void navigate('/')} />
            <DeleteWithRunsButton evaluation={{ id, name: document.name }} />
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
      <Tabs
        value={view}
        onChange={(next) => setSearch(next === null || next === 'configure' ? {} : { view: next }, { replace: true })}
      >
        <Tabs.List mb={28}>
          <Tabs.Tab value="configure">What will be measured</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
          <Tabs.Tab value="trend">Trend</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel
          value="configure"
          style={{ display: view === 'configure' ? 'flex' : 'none', flexDirection: 'column', gap: 24 }}
        >
          <StoredEvaluationEditor stored={evaluation} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">{view === 'runs' && <EvaluationRuns evaluationId={id} />}</Tabs.Panel>
        <Tabs.Panel value="trend">{view === 'trend' && <TrendView evaluationId={id} />}</Tabs.Panel>
      </Tabs>
    </>
  );
}

import { Anchor, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { StoredEvaluation } from '#core/protocol/api/evaluation.ts';
import { evaluationQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { DeleteEvaluationButton } from '../evaluations/delete-evaluation-button.tsx';
import { RunButton } from '../evaluations/run-button.tsx';
import { EvaluationRuns } from './evaluation-runs.tsx';
import { EvaluationYaml } from './evaluation-yaml.tsx';
import { PlanSummary } from './plan-summary.tsx';

/** What will be measured? */
export function EvaluationPage() {
  const { evaluationId = '' } = useParams();
  const query = useQuery(evaluationQuery(evaluationId));
  return (
    <QueryContent query={query} what="The Evaluation">
      {(evaluation) => <EvaluationContent evaluation={evaluation} />}
    </QueryContent>
  );
}

function EvaluationContent({ evaluation }: { evaluation: StoredEvaluation }) {
  const { id, document } = evaluation;
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  return (
    <>
      <PageHeader
        title={document.name}
        parent={{ to: '/', label: 'Evaluations' }}
        description={document.description}
        actions={
          <>
            <DeleteEvaluationButton evaluation={{ id, name: document.name }} onDeleted={() => void navigate('/')} />
            <RunButton evaluationId={id} evaluationName={document.name} />
          </>
        }
      />
      <Tabs value={search.get('view') ?? 'plan'} onChange={(view) => setSearch(view === 'plan' || !view ? {} : { view }, { replace: true })} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="plan">What will be measured</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
          <Tabs.Tab value="yaml">YAML</Tabs.Tab>
          <Anchor href={`/api/evaluations/${encodeURIComponent(id)}.yaml`} download ml="auto" py={8} size="sm">
            Download YAML
          </Anchor>
        </Tabs.List>
        <Tabs.Panel value="plan">
          <PlanSummary evaluation={document} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <EvaluationRuns evaluationId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="yaml" keepMounted>
          <EvaluationYaml evaluation={evaluation} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

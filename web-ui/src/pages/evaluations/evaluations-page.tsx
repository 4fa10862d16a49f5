import { Button, FileButton, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import type { EvaluationSummary } from '#core/protocol/api/stored-evaluation.ts';
import { evaluationsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListFilters } from '../../components/list/list-filters.tsx';
import { useAddress } from '../../components/list/use-address.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { filterEvaluations } from './filter-evaluations.ts';
import { EvaluationTable } from './evaluation-table.tsx';
import { FirstSteps } from './first-steps.tsx';

/** What have we got? */
export function EvaluationsPage() {
  const query = useQuery(evaluationsQuery);
  const navigate = useNavigate();
  const openFile = async (file: File | null) => {
    if (file) await navigate('/evaluations/new', { state: { yaml: await file.text() } });
  };
  const importButton = (
    <FileButton accept=".yaml,.yml,text/yaml,application/yaml" onChange={(file) => void openFile(file)}>
      {(props) => (
        <Button variant="default" {...props}>
          Import YAML
        </Button>
      )}
    </FileButton>
  );
  const buttons = (
    <NeedsRole role="evaluator">
      <Group gap="xs">
        {importButton}
        <Button component={Link} to="/evaluations/new">
          New Evaluation
        </Button>
      </Group>
    </NeedsRole>
  );

  return (
    <>
      <PageHeader title="Evaluations" actions={query.data?.length ? buttons : null} />
      <QueryContent query={query} what="The Evaluations">
        {(evaluations) =>
          evaluations.length > 0 ? (
            <FoundEvaluations evaluations={evaluations} />
          ) : (
            <FirstSteps importButton={importButton} />
          )
        }
      </QueryContent>
    </>
  );
}

function FoundEvaluations({ evaluations }: { evaluations: EvaluationSummary[] }) {
  const [search] = useAddress();
  const found = filterEvaluations(evaluations, search);
  return (
    <>
      <ListFilters label="Search Evaluations" />
      {found.length > 0 ? (
        <EvaluationTable evaluations={found} />
      ) : (
        <EmptyState title="No matching Evaluation">
          No Evaluation matches all filters above. The filter of outcomes looks at the last completed Run. Clear a
          filter.
        </EmptyState>
      )}
    </>
  );
}

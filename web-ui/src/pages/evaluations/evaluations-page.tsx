import { Button, FileButton, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { evaluationsQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
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
            <EvaluationTable evaluations={evaluations} />
          ) : (
            <FirstSteps importButton={importButton} />
          )
        }
      </QueryContent>
    </>
  );
}

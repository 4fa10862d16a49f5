import { Anchor, Button, FileButton, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { evaluationsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Term } from '../../components/term.tsx';
import { EvaluationTable } from './evaluation-table.tsx';

/** What have we got? */
export function EvaluationsPage() {
  const query = useQuery(evaluationsQuery);
  const navigate = useNavigate();
  const openFile = async (file: File | null) => {
    if (file) await navigate('/evaluations/new', { state: { yaml: await file.text() } });
  };
  const buttons = (
    <NeedsRole role="evaluator">
      <Group gap="xs">
        <FileButton accept=".yaml,.yml,text/yaml,application/yaml" onChange={(file) => void openFile(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              Import YAML
            </Button>
          )}
        </FileButton>
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
            <EmptyState title="Start with a question" action={buttons}>
              An <Term of="evaluation">Evaluation</Term> says which pages are loaded, by which <Term of="userAgent">User Agents</Term>, under which{' '}
              <Term of="scenario">Scenarios</Term>, and how often: “does HTTP/2 load these pages faster than HTTP/1.1 when two people share the link?” Join a{' '}
              <Anchor component={Link} to="/hosts" inherit>
                host
              </Anchor>{' '}
              that measures, make an Evaluation, press <em>Run</em>, and read the comparison.
            </EmptyState>
          )
        }
      </QueryContent>
    </>
  );
}

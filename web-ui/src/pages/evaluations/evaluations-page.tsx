import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { evaluationsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Term } from '../../components/term.tsx';
import { EvaluationTable } from './evaluation-table.tsx';

/** What have we got? */
export function EvaluationsPage() {
  const query = useQuery(evaluationsQuery);
  const newButton = (
    <Button component={Link} to="/evaluations/new">
      New from YAML
    </Button>
  );

  return (
    <>
      <PageHeader title="Evaluations" actions={query.data?.length ? newButton : null} />
      <QueryContent query={query} what="The Evaluations">
        {(evaluations) =>
          evaluations.length > 0 ? (
            <EvaluationTable evaluations={evaluations} />
          ) : (
            <EmptyState title="Start with a question" action={newButton}>
              An <Term of="evaluation">Evaluation</Term> says which pages are loaded, by which <Term of="userAgent">User Agents</Term>, under which{' '}
              <Term of="scenario">Scenarios</Term>, and how often: “does HTTP/2 load these pages faster than HTTP/1.1 when two people share the link?” Write
              one as YAML from the template, join a{' '}
              <Anchor component={Link} to="/hosts" inherit>
                host
              </Anchor>{' '}
              that measures, press <em>Run</em>, and read the comparison.
            </EmptyState>
          )
        }
      </QueryContent>
    </>
  );
}

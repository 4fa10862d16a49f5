import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Term } from '../../components/term.tsx';
import { AddHostButton } from './add-host-button.tsx';
import { AgentTable } from './agent-table.tsx';
import { TokenSection } from './token-section.tsx';

/** Who can measure? */
export function HostsPage() {
  const query = useQuery(agentsQuery);
  return (
    <>
      <PageHeader title="Hosts" actions={query.data?.length ? <AddHostButton /> : null} />
      <QueryContent query={query} what="The Hosts">
        {(agents) =>
          agents.length > 0 ? (
            <AgentTable agents={agents} />
          ) : (
            <EmptyState title="No host has joined yet" action={<AddHostButton />}>
              A <Term of="host">host</Term> measures once an <Term of="agent">Agent</Term> on it is connected. Add one: you get a command to paste into a terminal
              of that machine, this one included. It brings what it needs, and the host appears here as soon as it connects.
            </EmptyState>
          )
        }
      </QueryContent>
      <TokenSection />
    </>
  );
}

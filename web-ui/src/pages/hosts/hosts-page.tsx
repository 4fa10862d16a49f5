import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { agentsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { TestbedSwitch } from '../../components/testbed-switch.tsx';
import { Term } from '../../components/terms/term.tsx';
import { AddHostDialog } from './add-host-dialog.tsx';
import { AgentTable } from './agent-table.tsx';

/** Who can measure? `?add=NAME` leads to adding that one, `?add=` to adding any, with `&by=ssh` over SSH. */
export function HostsPage() {
  const query = useQuery(agentsQuery);
  // In the address, so that Find opens it here too.
  const [wanted, setWanted] = useSearchParams();
  const wantedName = wanted.get('add');
  const put = (search: Record<string, string>) => setWanted(search, { replace: true, preventScrollReset: true });
  const addButton = (
    <NeedsRole role="evaluator">
      <Button onClick={() => put({ add: '' })}>Add a host</Button>
    </NeedsRole>
  );
  return (
    <>
      {/* Not beside its button, which moves when the first host connects while this is open. */}
      <AddHostDialog
        isOpen={wantedName !== null}
        onClose={() => put({})}
        name={wantedName ?? ''}
        kind={wanted.get('by') === 'ssh' ? 'ssh' : 'machine'}
        next={
          <Button component={Link} to="/evaluations/new">
            New Evaluation
          </Button>
        }
      />
      <PageHeader
        title="Hosts"
        actions={
          <>
            <Button component={Link} to="/hosts/ssh" variant="default">
              By SSH
            </Button>
            {query.data?.length ? addButton : null}
          </>
        }
      />
      <QueryContent query={query} what="The hosts">
        {(agents) =>
          agents.length > 0 ? (
            <>
              <AgentTable agents={agents} />
              <TestbedSwitch />
              <Text size="sm" c="dimmed">
                A host appears here when it first connects. Revoke tokens under{' '}
                <Anchor component={Link} to="/settings/tokens" inherit underline="always">
                  Settings, Tokens
                </Anchor>
                .{' '}
                <Anchor component={Link} to="/help/agents" inherit underline="always">
                  What Agents and engines can do
                </Anchor>
                .
              </Text>
            </>
          ) : (
            <EmptyState title="No host has joined yet" action={addButton}>
              A <Term of="host">host</Term> can measure when an <Term of="agent">Agent</Term> on it is connected. Add a
              host over SSH, by a command for that machine, or by a link for the browser extension. The Agent installs
              what it needs. To add the Controller’s own machine, start it with <code>./http-ae up --agent</code>.
            </EmptyState>
          )
        }
      </QueryContent>
    </>
  );
}

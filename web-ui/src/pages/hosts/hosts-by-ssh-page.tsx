import { Anchor, Button, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { agentsQuery, sessionQuery } from '../../api/queries.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Section } from '../../components/section.tsx';
import { AgentTable } from './agent-table.tsx';
import { HostJoinList } from './host-join-progress.tsx';

const sampleInventory = `all:
  vars: { ansible_user: lab }
  hosts:
    lab-1: { ansible_host: 192.0.2.7 }
    lab-2: { ansible_host: 192.0.2.8, ansible_become: true } # Agent as root, by sudo
`;

/** Which machines joined over SSH, and how do others? */
export function HostsBySshPage() {
  const query = useQuery(agentsQuery);
  const { data: session } = useQuery(sessionQuery);
  return (
    <Stack gap="xl">
      <PageHeader
        title="Hosts by SSH"
        parent={{ to: '/hosts', label: 'Hosts' }}
        description={
          <>
            HTTP-AE installs itself on machines that ssh reaches, and joins them as hosts. Many join by a command, which
            uses your own ssh with its keys and configuration.{' '}
            <Anchor component={Link} to="/help/hosts" inherit underline="always">
              All settings
            </Anchor>
          </>
        }
      />
      <Section
        title="One machine"
        beside={
          <NeedsRole role="admin">
            <Button component={Link} to="/hosts?add=&by=ssh">
              Connect a machine
            </Button>
          </NeedsRole>
        }
      >
        <Text size="sm">
          Type its address, and a key or password. The Controller uses these once and does not store them.
        </Text>
        <HostJoinList />
      </Section>
      <Section title="Many machines: 1. List them in hosts.yaml">
        <Code block>{sampleInventory}</Code>
        <Text size="sm" c="dimmed">
          An inventory of Ansible works as it is. The name of a host is its name in Evaluations.
        </Text>
      </Section>
      <Section title="2. Run these in a clone of HTTP-AE">
        <Command what="Join all hosts, until Ctrl-C" code={joinBySshCommand('up')} />
        <Command what="Join them for good, as services of systemd" code={joinBySshCommand('up', '--service')} />
        <Command what="List what runs on them" code={joinBySshCommand('status')} />
        <Command what="End the Agents, and leave nothing on the machines" code={joinBySshCommand('down')} />
        <Text size="sm" c="dimmed">
          These work on the Controller’s machine, for the OS user who runs it. Elsewhere, add{' '}
          <code>--controller {session?.publicUrl ?? window.location.origin}</code>, and set <code>HTTP_AE_TOKEN</code>{' '}
          to what <code>./http-ae token create --agent</code> prints there.
        </Text>
      </Section>
      <Section title="State">
        <QueryContent query={query} what="The hosts">
          {(agents) => {
            const bySsh = agents.filter(({ facts }) => facts.bySsh !== undefined);
            return bySsh.length > 0 ? (
              <AgentTable agents={bySsh} />
            ) : (
              <Text c="dimmed">No host has joined by SSH yet. It appears here when it first connects.</Text>
            );
          }}
        </QueryContent>
      </Section>
    </Stack>
  );
}

function Command({ what, code }: { what: string; code: string }) {
  return (
    <div>
      <Text size="sm" mb={4}>
        {what}
      </Text>
      <CopyableCode code={code} />
    </div>
  );
}

/** A command for the hosts of an inventory. */
function joinBySshCommand(action: 'up' | 'status' | 'down', ...options: string[]): string {
  return ['./http-ae', 'hosts', action, '--inventory', 'hosts.yaml', ...options].join(' ');
}

import { Anchor, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { agentsQuery } from '../../api/queries.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/term.tsx';
import { formatCount } from '../../format/format-count.ts';

interface PlannedUserAgentsProps {
  evaluation: Evaluation;
  urlsByList: Map<string, number>;
}

/** Each User Agent, and whether the Agent of its host is there to run it. */
export function PlannedUserAgents({ evaluation, urlsByList }: PlannedUserAgentsProps) {
  const { data: agents } = useQuery(agentsQuery);
  const connected = agents && new Set(agents.filter((agent) => agent.isConnected).map((agent) => agent.name));
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={280}>Name</Table.Th>
          <Table.Th>
            <Term of="host">Host</Term>
          </Table.Th>
          <Table.Th>
            <Term of="engine">Engine</Term>
          </Table.Th>
          <Table.Th>
            <Term of="userClass">Class</Term>
          </Table.Th>
          <Table.Th>URL list</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {evaluation.userAgents.map((userAgent) => (
          <Table.Tr key={userAgent.name}>
            <Table.Th scope="row">{userAgent.name}</Table.Th>
            <Table.Td>
              <Group gap="sm">
                {userAgent.host}
                {connected && <HostState isConnected={connected.has(userAgent.host)} />}
              </Group>
            </Table.Td>
            <Table.Td>{userAgent.engine}</Table.Td>
            <Table.Td>{userAgent.userClass ?? <AbsentValue reason="It belongs to no user class." />}</Table.Td>
            <Table.Td>
              {userAgent.urlList}{' '}
              <Text span size="sm" c="dimmed">
                {formatCount(urlsByList.get(userAgent.urlList) ?? 0, 'URL')}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function HostState({ isConnected }: { isConnected: boolean }) {
  if (isConnected) return <StateDot state="good" label="connected" />;
  return (
    <>
      <StateDot state="bad" label="not connected" />{' '}
      <Anchor component={Link} to="/hosts" size="sm">
        add it
      </Anchor>
    </>
  );
}

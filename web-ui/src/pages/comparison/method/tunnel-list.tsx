import { List } from '@mantine/core';
import { describeTunnel } from '#core/protocol/tunnel-record.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { Term } from '../../../components/terms/term.tsx';

/** The tunnel of each Scenario that has one. */
export function TunnelList({ tunnels }: { tunnels: RunMethod['tunnels'] }) {
  return (
    <List size="sm" mt="xs" aria-label="Tunnels">
      {tunnels.map(({ scenario, ...tunnel }) => (
        <List.Item key={scenario}>
          <Term of="tunnel">Tunnel</Term> of {scenario}: {describeTunnel(tunnel)}
        </List.Item>
      ))}
    </List>
  );
}

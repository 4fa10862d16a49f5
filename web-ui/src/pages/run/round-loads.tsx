import { Text } from '@mantine/core';
import type { RoundProgress } from '#core/protocol/api/run.ts';
import { Term } from '../../components/terms/term.tsx';
import { formatCount } from '../../format/format-count.ts';
import { describeLoad } from './describe-load.ts';

/** Of so many Hosts the load is listed. The Comparison lists the busiest. */
const mostHosts = 4;

/** How busy each host was in a Round, once its Passes have ended. */
export function RoundLoads({ passes }: { passes: RoundProgress['passes'] }) {
  const hosts = [...Map.groupBy(passes, ({ agent }) => agent)].flatMap(([host, own]) => {
    const load = own.find(({ hostLoad }) => hostLoad !== null)?.hostLoad;
    return load ? [`${host}: ${describeLoad(load)}`] : [];
  });
  if (hosts.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <Term of="hostLoad">Load of the hosts</Term>: {hosts.slice(0, mostHosts).join('; ')}
      {hosts.length > mostHosts && `; and ${formatCount(hosts.length - mostHosts, 'other host')}`}
    </Text>
  );
}

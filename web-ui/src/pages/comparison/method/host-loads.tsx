import type { Comparison } from '#core/comparison/comparison.ts';
import { loadMeasures } from '#core/comparison/host-load/load-measure.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { formatCount } from '../../../format/format-count.ts';

type HostLoad = Comparison['hostLoad'];
type Host = Extract<HostLoad, { kind: 'measured' }>['hosts'][number];

/** How busy each host was in the counted Rounds: one line for each, at most for the busiest twelve, and as many that are not known. */
const mostHosts = 12;

export function HostLoads({ hostLoad }: { hostLoad: HostLoad }) {
  if (hostLoad.kind === 'absent') return <AbsentValue reason={`${hostLoad.reason}.`} />;
  const busiest = hostLoad.hosts.toSorted(
    (one, other) => (other.measures.cpu?.largest ?? 0) - (one.measures.cpu?.largest ?? 0),
  );
  return (
    <>
      {busiest.slice(0, mostHosts).map((host) => (
        <div key={host.host}>{describeHost(host)}</div>
      ))}
      {busiest.length > mostHosts && (
        <div>and {formatCount(busiest.length - mostHosts, 'host')} that were less busy; the export lists them all</div>
      )}
      {hostLoad.unknown.slice(0, mostHosts).map(({ host, reason }) => (
        <div key={host}>
          {host}: not known. {reason}
        </div>
      ))}
      {hostLoad.unknown.length > mostHosts && (
        <div>and {formatCount(hostLoad.unknown.length - mostHosts, 'other host')} whose load is not known</div>
      )}
    </>
  );
}

/** `laptop (4 CPUs): CPUs taken 23 %, at most 98 %; …`, the median over the Rounds and the busiest. */
function describeHost({ host, cpuCount, rounds, measures }: Host): string {
  const parts = (Object.keys(labels) as (keyof typeof labels)[]).flatMap((id) => {
    const range = measures[id];
    return range
      ? [`${labels[id]} ${loadMeasures[id].show(range.median)}, at most ${loadMeasures[id].show(range.largest)}`]
      : [];
  });
  return `${host} (${formatCount(cpuCount, 'CPU')}), median of ${formatCount(rounds, 'Round')}: ${parts.join('; ')}`;
}

const labels = {
  cpu: 'CPUs taken',
  steal: 'by other virtual machines',
  cpuPressure: 'waiting for a CPU',
  memoryPressure: 'for memory',
  ioPressure: 'for a disk',
  load: 'load average per CPU',
} as const;

import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failedObjectsRules } from '#core/evaluation/pages/page-load.ts';
import { formatLabels } from '#core/protocol/api/run-labels.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import type { Comparison, SkewSummary } from '#core/comparison/comparison.ts';
import { wireQuery } from '../../../api/queries.ts';
import { Term } from '../../../components/terms/term.tsx';
import { formatCount, formatNumber } from '../../../format/format-numbers.ts';
import { formatSkew, formatMs } from '../../../format/format-times.ts';
import { describeRests, describeStartOffsets, describeVisitsPerUrl } from './describe-rhythms.ts';
import { formatPercent, formatConfidence } from '../../../format/format-ratios.ts';
import { loadMeasures } from '#core/comparison/host-load/load-measure.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';

type HostLoad = Comparison['hostLoad'];
type Host = Extract<HostLoad, { kind: 'measured' }>['hosts'][number];

/** How busy each host was in the counted Rounds: one line for each, at most for the busiest twelve, and as many that are not known. */
const mostHosts = 12;

const labels = {
  cpu: 'CPUs taken',
  steal: 'by other virtual machines',
  cpuPressure: 'waiting for a CPU',
  memoryPressure: 'for memory',
  ioPressure: 'for a disk',
  load: 'load average per CPU',
} as const;

const show = (time: string) => time.slice(0, 16).replace('T', ' ');

const cacheModes = {
  cold: 'cold: cleared, and every connection closed, before each Visit',
  warm: 'warm: kept during a Pass, after one unmeasured load of each URL',
  'per-pass': 'per Pass: empty at the start of a Pass, kept during it, and every load measured',
};

/** How pages were loaded and compared, a line for each choice that a replication makes again. */
export function MethodTable({ method, comparison }: { method: RunMethod; comparison: Comparison }) {
  const { seed, confidence, intervalConfidence } = comparison;
  const { cache, timeoutMs, quietMs, viewport, failedObjects } = method.pageLoad;
  // The other engines do not lay out a page, or use a window that a person opened.
  const hasViewport = method.userAgents.some(({ engine }) => engine === 'chrome' || engine === 'firefox');
  const startOffsets = describeStartOffsets(method.userAgents);
  const missing = useMissingPackets(comparison);
  return (
    <Table w="auto" verticalSpacing={5} aria-label="Method">
      <Table.Tbody>
        <Fact name="Measured">
          {method.startedAt === null
            ? 'not started'
            : `${showTime(method.startedAt)} to ${method.added[0] ? showTime(method.added[0].endedBefore) : method.endedAt === null ? 'now' : showTime(method.endedAt)}, UTC`}
        </Fact>
        {method.beside.length > 0 && (
          <Fact name={<Term of="runsBeside">Runs at the same time</Term>}>
            {method.beside.map((id) => `Run ${id}`).join(', ')}
          </Fact>
        )}
        {Object.keys(method.labels).length > 0 && <Fact name="Labels">{formatLabels(method.labels)}</Fact>}
        {method.added.length > 0 && (
          <Fact name="Added Rounds">
            <AddedRounds added={method.added} />
          </Fact>
        )}
        <Fact name="User Agents">{describeUsers(method)}</Fact>
        {method.engineVersions.length > 0 && (
          <Fact name={<Term of="engine">Engines</Term>}>{describeVersions(method)}</Fact>
        )}
        {method.httpVersions.length > 0 && (
          <Fact name={<Term of="httpVersions">HTTP versions used</Term>}>
            {describeHttpVersions(method.httpVersions, comparison.scenarios)}
          </Fact>
        )}
        <Fact name={<Term of="cache">Cache</Term>}>{cacheModes[cache]}</Fact>
        {hasViewport && (
          <Fact name="Viewport">
            {viewport.widthPx} × {viewport.heightPx} px
          </Fact>
        )}
        <Fact name="Visits of each URL">{describeVisitsPerUrl(method)}</Fact>
        <Fact name="Rest">{describeRests(method.userAgents)}</Fact>
        {method.isInStep && (
          <Fact name={<Term of="barrier">Every page together</Term>}>
            each page began for all User Agents when the last had ended the one before and rested
          </Fact>
        )}
        {startOffsets !== null && <Fact name="Later starts">{startOffsets}</Fact>}
        <Fact name="Settled">
          after {formatMs(quietMs)} with nothing in flight, or at the hard cap of {formatMs(timeoutMs)}
        </Fact>
        <Fact name={<Term of="failedObjects">Failed objects</Term>}>
          if a Visit lost objects, {failedObjectsRules[failedObjects]}
        </Fact>
        <Fact name="Order">
          {method.order === 'random-blocks'
            ? 'every Scenario once per Block, in random order'
            : 'all Rounds of a Scenario, then of the next'}
          ; URLs of a Pass in listed order
          {method.warmUp ? '; after a warm-up, which no figure includes' : '; no warm-up'}
        </Fact>
        <Fact name={<Term of="seed">Seed</Term>}>{seed}</Fact>
        <Fact name={<Term of="hostLoad">Load of the hosts</Term>}>
          <HostLoads hostLoad={comparison.hostLoad} />
        </Fact>
        {comparison.hostDelays.length > 0 && (
          <Fact name={<Term of="hostDelay">Held up by the hosts</Term>}>{describeDelays(comparison.hostDelays)}</Fact>
        )}
        <Fact name={<Term of="startSkew">Start skew</Term>}>{describeSkews(comparison)}</Fact>
        <Fact name="Intervals">
          {formatConfidence(confidence)}
          {intervalConfidence !== confidence &&
            `, computed at ${formatConfidence(intervalConfidence)} to correct for ${method.added.length > 0 ? 'several looks at the result' : 'the stop rule or for Rounds that may be added'}`}
        </Fact>
        <Fact name="Repeated Rounds">
          {method.brokenRoundsInAll === 0 ? 'none' : formatNumber(method.brokenRoundsInAll)}
        </Fact>
        {missing !== null && <Fact name="Packets">{missing}</Fact>}
        {method.artefacts.length > 0 && <Fact name="Recorded besides">{method.artefacts.join('. ')}</Fact>}
        <Fact name="Versions">
          HTTP-AE {method.controllerVersion}
          {method.metricsVersions.length > 0 && `, metric definitions ${method.metricsVersions.join(' and ')}`}
        </Fact>
      </Table.Tbody>
    </Table>
  );
}

/** Why the report has no figures of the wire or of bandwidth shares, and what to do. Null where it has them. */
function useMissingPackets({ runId, noCapture, bandwidth, userAgents }: Comparison): string | null {
  const wire = useQuery({ ...wireQuery(runId), enabled: noCapture === null }).data;
  if (noCapture !== null) return `not captured, so there are no figures of the wire. ${noCapture}.`;
  if (wire?.kind === 'absent') return `no figures of the wire. ${wire.reason}`;
  return bandwidth.kind === 'absent' && userAgents.length > 1
    ? `no figures of bandwidth share and fairness. ${bandwidth.reason}`
    : null;
}

function describeSkews({ startSkew, firstRequestSkew, firstPacketSkew, pageSkew, userAgents }: Comparison): string {
  if (userAgents.length < 2) return 'none: a single User Agent';
  if (startSkew === null) return 'no Round reported its start times';
  const packets =
    firstPacketSkew === null
      ? 'first packets not known: no Round captured them for all User Agents'
      : `first packets: ${describeSkew(firstPacketSkew)}`;
  const requests = firstRequestSkew === null ? '' : `first requests: ${describeSkew(firstRequestSkew)}; `;
  const pages = pageSkew ? `first requests of later pages: ${describeSkew(pageSkew)}; ` : '';
  return `${requests}${pages}orders: ${describeSkew(startSkew)}; ${packets}`;
}

function describeDelays(delays: Comparison['hostDelays']): string {
  return delays
    .map(({ scenario, meanMs, p95Ms }) => `${scenario}: mean ${formatMs(meanMs)}, 95th percentile ${formatMs(p95Ms)}`)
    .join('; ');
}

function describeSkew({ rounds, medianMs, largestMs, errorMs }: SkewSummary): string {
  return `median ${formatMs(medianMs)}, largest ${formatSkew({ skewMs: largestMs, errorMs })} (${formatCount(rounds, 'Round')})`;
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" style={{ whiteSpace: 'nowrap', verticalAlign: 'top' }}>
        {name}
      </Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  );
}

const showTime = (time: string) => time.slice(0, 19).replace('T', ' ');

/** Of more Hosts, or User Agents of one, only their number is listed. */
const mostNames = 8;

/** `alice, bob (chrome on laptop)`, in groups of the same engine and Host; of many, how many. */
function describeUsers({ userAgents }: RunMethod): string {
  const hosts = new Set(userAgents.map(({ host }) => host));
  if (hosts.size > mostNames)
    return [...Map.groupBy(userAgents, ({ engine }) => engine)]
      .map(([engine, users]) => {
        const own = new Set(users.map(({ host }) => host));
        return `${formatCount(users.length, 'User Agent')} (${engine} on ${formatCount(own.size, 'host')})`;
      })
      .join('; ');
  const groups = [...Map.groupBy(userAgents, ({ engine, host }) => `${engine} on ${host}`)];
  return groups
    .map(
      ([what, users]) =>
        `${users.length > mostNames ? formatCount(users.length, 'User Agent') : users.map(({ name }) => name).join(', ')} (${what})`,
    )
    .join('; ');
}

/** `Chrome/140.0.7339.80 on laptop`: where all are on one Host, the User Agents show its name. */
function describeVersions({ engineVersions }: RunMethod): string {
  const hosts = Map.groupBy(engineVersions, ({ host }) => host);
  return [...Map.groupBy(engineVersions, ({ version }) => version)]
    .map(([version, seen]) => {
      if (hosts.size === 1) return version;
      const names = seen.map(({ host }) => host);
      return `${version} on ${names.length > mostNames ? formatCount(names.length, 'host') : names.join(', ')}`;
    })
    .join('; ');
}

/** Which Rounds were added when and by whom, and what had changed by then. */
function AddedRounds({ added }: Pick<RunMethod, 'added'>) {
  return added.map(({ firstBlock, blocks, requestedAt, requestedBy, startedAt, endedAt, changes }, index) => {
    const last = (added[index + 1]?.firstBlock ?? firstBlock + blocks) - 1;
    return (
      <div key={index}>
        {last < firstBlock
          ? 'No Block was measured'
          : last === firstBlock
            ? `Block ${last}`
            : `Blocks ${firstBlock} to ${last}`}
        : added on {show(requestedAt)}
        {requestedBy !== null && ` by ${requestedBy}`}, after the result had been seen
        {startedAt === null
          ? '; not started'
          : `; measured ${show(startedAt)} to ${endedAt === null ? 'now' : show(endedAt)}`}
        , UTC. {changes.join(' ')}
      </div>
    );
  });
}

/** `direct: h2 98 %, http/1.1 2.0 %; proxy: http/1.1`; once where it is the same for all Scenarios. */
export function describeHttpVersions(used: RunMethod['httpVersions'], scenarios: readonly string[]): string {
  const described = scenarios.map((name) => ({
    name,
    words: describe(used.filter(({ scenario }) => scenario === name)),
  }));
  const [first] = described;
  return first && described.every(({ words }) => words === first.words)
    ? first.words
    : described.map(({ name, words }) => `${name}: ${words}`).join('; ');
}

function describe(used: RunMethod['httpVersions']): string {
  const all = used.reduce((sum, { objects }) => sum + objects, 0);
  if (used.length === 0) return 'not known';
  return used
    .map(({ version, objects }) => (objects === all ? version : `${version} ${formatPart(objects / all)}`))
    .join(', ');
}

/** Some is never 0 %. */
function formatPart(ratio: number): string {
  return ratio < 0.0001 ? `< ${formatPercent(0.0001)}` : formatPercent(ratio);
}

function HostLoads({ hostLoad }: { hostLoad: HostLoad }) {
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

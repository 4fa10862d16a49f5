import { Alert, Button, Group, Stack, Text, Code } from '@mantine/core';
import type { RoundProgress, ScriptExecution } from '#core/protocol/api/run.ts';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { RoundPasses } from '../../components/run/round-passes.tsx';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatSkew, formatMs } from '../../format/format-times.ts';
import { CapturePointTable } from './capture-point-table.tsx';
import { PassTable } from './pass-table.tsx';
import type { RoundSlot } from './round-slots.ts';
import { describeNetworkFigure, type NetworkFigure } from '#core/protocol/network-figure.ts';
import { describeFinding, type LinkCheck } from '#core/protocol/link-check.ts';
import { describeTunnel } from '#core/protocol/tunnel-record.ts';
import { formatCount, formatNumber } from '../../format/format-numbers.ts';
import { StateDot } from '../../components/state-dot.tsx';
import type { HostLoad, LoadFigure } from '#core/protocol/host-load.ts';
import { formatPercent } from '../../format/format-ratios.ts';

/** Of so many Hosts the load is listed. The Comparison lists the busiest. */
const mostHosts = 4;

interface RoundDetailsProps {
  runId: string;
  slot: RoundSlot;
  roundCount: number;
  styles: Map<string, ScenarioStyle>;
  scripts: ScriptExecution[];
  /** Goes back to the Round under way; null when this is it. */
  onFollow: (() => void) | null;
}

/** One Round: the line of each User Agent, its scripts, and the tries that broke. */
export function RoundDetails({ runId, slot, roundCount, styles, scripts, onFollow }: RoundDetailsProps) {
  const attempts = slot.attempts.toReversed();
  return (
    <Section
      title={
        <Group gap="sm" component="span">
          <span>
            Round {slot.index + 1} of {roundCount}
          </span>
          <Text span fw={400} c="dimmed">
            {slot.warmUp ? <Term of="warmUp">warm-up</Term> : `Block ${slot.block}`}
          </Text>
          <Text span fw={400}>
            <ScenarioName name={slot.scenario} style={styles.get(slot.scenario)} />
          </Text>
        </Group>
      }
      beside={
        onFollow && (
          <Button variant="light" size="compact-sm" onClick={onFollow}>
            Show the current Round
          </Button>
        )
      }
    >
      <Stack gap="xl">
        {attempts.map((attempt) => (
          <Attempt
            key={attempt.id}
            runId={runId}
            attempt={attempt}
            isOnlyOne={attempts.length === 1}
            scripts={scripts.filter((script) => script.roundId === attempt.id)}
          />
        ))}
      </Stack>
    </Section>
  );
}

interface AttemptProps {
  runId: string;
  attempt: RoundProgress;
  isOnlyOne: boolean;
  scripts: ScriptExecution[];
}

function Attempt({ runId, attempt, isOnlyOne, scripts }: AttemptProps) {
  const {
    state,
    problem,
    startSkewMs,
    startSkewErrorMs,
    firstRequestSkewMs,
    firstRequestSkewErrorMs,
    firstPacketSkewMs,
    firstPacketSkewErrorMs,
    pageSkewMs,
    pageSkewErrorMs,
    linkCheck,
  } = attempt;
  const isLive = state !== 'completed' && state !== 'broken';
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {!isOnlyOne && `attempt ${attempt.attempt}, `}
        {stateWords[state]}
        {startSkewMs !== null && (
          <>
            , <Term of="startSkew">start skew</Term> {formatSkew({ skewMs: startSkewMs, errorMs: startSkewErrorMs })}
          </>
        )}
        {firstRequestSkewMs !== null && (
          <>
            , <Term of="firstRequestSkew">first-request skew</Term>{' '}
            {formatSkew({ skewMs: firstRequestSkewMs, errorMs: firstRequestSkewErrorMs })}
          </>
        )}
        {pageSkewMs !== null && (
          <>
            , <Term of="pageSkew">page skew</Term> {formatSkew({ skewMs: pageSkewMs, errorMs: pageSkewErrorMs })}
          </>
        )}
        {firstPacketSkewMs !== null && (
          <>
            , <Term of="firstPacketSkew">first-packet skew</Term>{' '}
            {formatSkew({ skewMs: firstPacketSkewMs, errorMs: firstPacketSkewErrorMs })}
          </>
        )}
      </Text>
      {linkCheck && <LinkCheckLine check={linkCheck} />}
      {linkCheck?.during && <NetworkFiguresLine figures={linkCheck.during} />}
      {problem && (
        <Alert color="red" variant="light" py="xs" title={<Term of="brokenRound">Broken Round</Term>}>
          {problem}
        </Alert>
      )}
      <RoundPasses runId={runId} round={attempt}>
        {(passes) => (
          <>
            <RoundLoads passes={passes} />
            <PassTable passes={passes} isLive={isLive} />
          </>
        )}
      </RoundPasses>
      {attempt.capturePoints.length > 0 && <CapturePointTable points={attempt.capturePoints} isLive={isLive} />}
      {scripts.map((script, index) => (
        <ScriptOutput key={index} execution={script} />
      ))}
    </Stack>
  );
}

const stateWords: Record<RoundProgress['state'], string> = {
  preparing: 'preparing: scripts, network, processes, then browsers',
  running: 'running',
  collecting: 'collecting the Visits',
  completed: 'completed',
  broken: 'broken',
};

/** What the emulated network did during a Round. */
function NetworkFiguresLine({ figures }: { figures: NetworkFigure[] }) {
  return (
    <Text size="sm" c="dimmed">
      <Term of="networkFigures">Network during the Round</Term>: {figures.map(describeNetworkFigure).join(', ')}
    </Text>
  );
}

/** What the emulated link was measured to do right before a Round, and the tunnel across it. */
function LinkCheckLine({ check }: { check: LinkCheck }) {
  const isAsWritten = check.findings.every(({ isWithin }) => isWithin);
  return (
    <>
      <Text size="sm" c={isAsWritten ? 'dimmed' : 'var(--mantine-color-error)'}>
        <Term of="linkCheck">Link check</Term>, {check.profile} ({check.backend}):{' '}
        {check.findings.map(describeFinding).join(', ')}
      </Text>
      {check.tunnel && (
        <Text size="sm" c="dimmed">
          <Term of="tunnel">Tunnel</Term>: {describeTunnel(check.tunnel)}
        </Text>
      )}
    </>
  );
}

/** How busy each host was in a Round, once its Passes have ended. */
function RoundLoads({ passes }: { passes: RoundProgress['passes'] }) {
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

/** What a script or process of a Scenario did; one that failed is open from the start. */
function ScriptOutput({ execution }: { execution: ScriptExecution }) {
  const { phase, name, host, durationMs, output, problem } = execution;
  const isProcess = phase === 'process';
  const isGood = isProcess ? problem === undefined : execution.exitCode === 0 && !execution.isTimedOut;
  const end = isProcess ? (problem ?? `ready after ${formatMs(durationMs)}`) : describeEnd(execution);
  return (
    <details open={!isGood}>
      <summary>
        {isProcess ? `process ${name}` : `${phase} script`} on <strong>{host}</strong>
        {!isProcess && `, ${formatMs(durationMs)}`} <StateDot state={isGood ? 'good' : 'bad'} label={end} />
      </summary>
      <Code block mt={6} mah={280} style={{ overflow: 'auto' }}>
        {output || '(no output)'}
      </Code>
    </details>
  );
}

function describeEnd({ isTimedOut, exitCode }: ScriptExecution): string {
  if (isTimedOut) return 'timed out';
  return exitCode === null ? 'ended by a signal, or not started' : `exit status ${exitCode}`;
}

/** `4 CPUs 23 % taken, …`; what the host does not show is left out. */
function describeLoad(load: HostLoad): string {
  if (load.kind === 'absent') return `not known (${load.reason})`;
  const { busyRatio, stealRatio, cpuPressureRatio, memoryPressureRatio, ioPressureRatio, loadAverage } = load.figures;
  return [
    `${formatCount(load.cpuCount, 'CPU')} ${show(busyRatio, formatPercent) ?? 'unknown share'} taken`,
    ...label('by other virtual machines', show(stealRatio, formatPercent)),
    ...label('waiting for a CPU', show(cpuPressureRatio, formatPercent)),
    ...label('for memory', show(memoryPressureRatio, formatPercent)),
    ...label('for a disk', show(ioPressureRatio, formatPercent)),
    ...label(
      'load average',
      show(loadAverage, (value) => formatNumber(value, 1)),
    ),
  ].join(', ');
}

function show(figure: LoadFigure, format: (value: number) => string): string | null {
  return figure.kind === 'measured' ? format(figure.value) : null;
}

function label(name: string, text: string | null): string[] {
  return text === null ? [] : [`${name} ${text}`];
}

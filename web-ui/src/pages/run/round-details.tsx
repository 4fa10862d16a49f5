import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { RoundProgress, ScriptExecution } from '#core/protocol/api/run.ts';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { RoundPasses } from '../../components/run/round-passes.tsx';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatSkew } from '../../format/format-skew.ts';
import { CapturePointTable } from './capture-point-table.tsx';
import { LinkCheckLine } from './link-check.tsx';
import { NetworkFiguresLine } from './network-figures-line.tsx';
import { PassTable } from './pass-table.tsx';
import { RoundLoads } from './round-loads.tsx';
import type { RoundSlot } from './round-slots.ts';
import { ScriptOutput } from './script-output.tsx';

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

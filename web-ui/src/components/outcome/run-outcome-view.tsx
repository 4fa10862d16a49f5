import { Anchor, Group, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { formatCount } from '../../format/format-numbers.ts';
import { AbsentValue } from '../absent-value.tsx';
import { ComparisonLink } from '../run/comparison-link.tsx';
import { Defined } from '../terms/term.tsx';
import { ValuesInText } from '../values-in-text.tsx';
import { kindOfOutcome, type ComparedOutcome } from '#core/comparison/outcome/run-outcome.ts';
import { formatPercent, formatConfidence, describeReduction } from '../../format/format-ratios.ts';
import { placeOutcome } from './place-outcome.ts';
import classes from './outcome-mark.module.css';

const widthPx = 96;
const heightPx = 18;
/** On each side: an arrow there is apart from a dot near the end of the axis. */
const marginPx = 12;
const middlePx = heightPx / 2;

interface RunOutcomeViewProps {
  run: RunSummary;
  /** Of the axis, which is the same in the whole list. */
  reach: number;
}

/** What came out of a Run: its mark and words, which lead to the Comparison. */
export function RunOutcomeView({ run, reach }: RunOutcomeViewProps) {
  const { id, state, outcome, roundsCompleted } = run;
  if (isOpen(state)) return <AbsentValue reason="The Run has not ended." />;
  if (roundsCompleted === 0) return <AbsentValue reason="No Round was completed." />;
  if (outcome === null) {
    return (
      <Group gap="xs" wrap="nowrap">
        <AbsentValue reason="It is computed soon, or after the Run that is under way. The Comparison shows it at once." />
        <ComparisonLink run={run} />
      </Group>
    );
  }
  const words = (
    <Anchor component={Link} to={`/runs/${id}/comparison`} inherit c="inherit">
      <VisuallyHidden>Comparison of Run {id}: </VisuallyHidden>
      {outcome.kind === 'none' ? `Nothing compared: ${outcome.text}` : <ValuesInText text={outcome.text} />}
    </Anchor>
  );
  if (outcome.kind === 'none') {
    return (
      <Text component="div" size="sm" c="dimmed">
        {words}
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <OutcomeMark outcome={outcome} reach={reach} />
      <Text component="div" size="sm" miw={0} style={{ overflowWrap: 'anywhere' }}>
        {words}
        {outcome.otherScenarios > 0 && (
          <Text span inherit c="dimmed">
            {' '}
            and {formatCount(outcome.otherScenarios, 'more Scenario')}
          </Text>
        )}
      </Text>
    </Group>
  );
}

/** A small forest plot: to the right of the line, the Scenario is faster than its baseline. A full dot is a difference, a square equivalence, a ring undecided, a triangle an effect beyond the axis. */
function OutcomeMark({ outcome, reach }: { outcome: ComparedOutcome; reach: number }) {
  const places = placeOutcome(outcome, reach);
  if (!places) return <svg className={classes.mark} width={widthPx} height={heightPx} aria-hidden="true" />;
  const { point, low, high, isCutLow, isCutHigh, isBeyond, band } = places;
  const x = (place: number) => widthPx / 2 + place * (widthPx / 2 - marginPx);
  const kind = kindOfOutcome(outcome);
  return (
    <svg className={classes.mark} width={widthPx} height={heightPx} role="img" aria-label={describe(outcome)}>
      {band && (
        <rect className={classes.band} x={x(band.low)} width={x(band.high) - x(band.low)} y="1" height={heightPx - 2} />
      )}
      <line className={classes.zero} x1={x(0)} x2={x(0)} y1="0" y2={heightPx} />
      {low !== null && high !== null && low !== high && (
        <g className={classes.interval}>
          <line x1={x(low)} x2={x(high)} y1={middlePx} y2={middlePx} />
          <End at={x(low)} isCut={isCutLow} side={-1} />
          <End at={x(high)} isCut={isCutHigh} side={1} />
        </g>
      )}
      {isBeyond ? (
        <Beyond at={x(point)} side={point < 0 ? -1 : 1} />
      ) : kind === 'equivalent' ? (
        <rect className={classes.point} x={x(point) - 3.5} y={middlePx - 3.5} width="7" height="7" />
      ) : (
        <circle className={kind === 'undecided' ? classes.ring : classes.point} cx={x(point)} cy={middlePx} r="4" />
      )}
    </svg>
  );
}

/** An effect that is off the scale: a full triangle at its end. */
function Beyond({ at, side }: { at: number; side: -1 | 1 }) {
  return (
    <path
      className={classes.point}
      d={`M${at} ${middlePx - 5.5}L${at + side * 10} ${middlePx}L${at} ${middlePx + 5.5}Z`}
    />
  );
}

/** Of an interval: a stroke across, or, beyond the end of the axis, an arrow where it continues. */
function End({ at, isCut, side }: { at: number; isCut: boolean; side: -1 | 1 }) {
  const tip = at + side * 8;
  const back = tip - side * 4;
  return isCut ? (
    <path
      d={`M${at} ${middlePx}L${tip} ${middlePx}M${back} ${middlePx - 4}L${tip} ${middlePx}L${back} ${middlePx + 4}`}
    />
  ) : (
    <line x1={at} x2={at} y1={middlePx - 3} y2={middlePx + 3} />
  );
}

function describe({ ratio, low, high, confidence, margin }: ComparedOutcome): string {
  const { shown, range } = describeReduction({ ratio: ratio!, low, high });
  const interval = confidence === null ? range : `${formatConfidence(confidence)} interval ${range}`;
  const band =
    margin === null
      ? ''
      : `; equivalent from ${formatPercent(margin / (1 - margin))} more to ${formatPercent(margin)} less`;
  return `Time vs the baseline: ${shown}, ${interval}${band}`;
}

/** The heading of a column of outcomes, with the key of their marks one hover away. */
export function OutcomeHeading({ reach }: { reach: number }) {
  return (
    <Defined
      definition={`The headline of the Comparison, of the Scenario with the largest difference that is shown. Mark: to the right of the line is faster than the baseline, to the left slower; the axis ends at ±${formatPercent(reach)}. A dot is a difference, a square equivalence, a ring undecided, a triangle a difference beyond the axis. The band holds differences that are declared too small to matter.`}
    >
      Outcome
    </Defined>
  );
}

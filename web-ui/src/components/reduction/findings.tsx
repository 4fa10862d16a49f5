import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isBaseline, partByGroup } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { nameGroup } from '#core/comparison/findings/finding-words.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { formatConfidence } from '../../format/format-ratios.ts';
import { equivalenceBand, reductionExtent } from './reduction-extent.ts';
import { ReductionPlot, ReductionAxis } from './reduction-plot.tsx';
import { ScenarioMarker } from '../scenario/scenario-marker.tsx';
import type { ScenarioStyle } from '../scenario/scenario-style.ts';
import { ValuesInText } from '../values-in-text.tsx';
import classes from './findings.module.css';

interface FindingsProps {
  comparison: Pick<
    Comparison,
    | 'findings'
    | 'remarks'
    | 'scenarios'
    | 'baseline'
    | 'groups'
    | 'metrics'
    | 'primaryMetric'
    | 'countedFrom'
    | 'confidence'
  >;
  styles: Map<string, ScenarioStyle>;
  /** A link to the subject of a remark. */
  linkOf?: (remark: Comparison['remarks'][number]) => ReactNode;
}

/**
 * The finding in words: a sentence for each Scenario other than a baseline, after that Scenario's marker, its reduction as a forest mark beside it; below them,
 * smaller, the reasons for caution.
 */
export function Findings({ comparison, styles, linkOf }: FindingsProps) {
  const { findings, remarks, scenarios, groups, primaryMetric } = comparison;
  const others = scenarios.filter((name) => !isBaseline(comparison, name));
  const stated = findings.map((finding, index) => ({ finding, scenario: others[index] ?? '' }));
  const inOrder = partByGroup(groups, stated, ({ scenario }) => scenario).flatMap(({ items }) => items);
  const compared = comparison.metrics.find(({ metric }) => metric === primaryMetric)?.scenarios ?? [];
  const band = equivalenceBand(compared);
  const extent = reductionExtent(compared, band);
  const reductions = new Map(compared.map(({ scenario, reduction }) => [scenario, reduction]));
  const hasMarks = compared.some(({ reduction }) => reduction !== null);
  return (
    <Stack gap="sm">
      {findings.length === 0 && <Text c="dimmed">There is only one Scenario, so nothing is compared.</Text>}
      {inOrder.map(({ finding, scenario }) => (
        <div key={scenario} className={classes.finding}>
          <div className={classes.sentence}>
            <ScenarioMarker style={styles.get(scenario)} />
            <span>{emphasise(finding, scenario, nameGroup(groups, scenario).length)}</span>
          </div>
          {hasMarks && (
            <div className={classes.mark}>
              <ReductionPlot
                reduction={reductions.get(scenario) ?? null}
                isBaseline={false}
                colour={styles.get(scenario)?.colour}
                extent={extent}
                band={band}
              />
            </div>
          )}
        </div>
      ))}
      {hasMarks && (
        <div className={`${classes.finding} ${classes.key}`}>
          <Text size="sm" c="dimmed" className={classes.caption}>
            Marks: reduction of {nameLatency(primaryMetric, comparison.countedFrom).toLowerCase()} with its{' '}
            {formatConfidence(comparison.confidence)} interval.
            {band && ' Shaded: equivalent.'}
          </Text>
          <div className={classes.mark}>
            <ReductionAxis extent={extent} />
          </div>
        </div>
      )}
      {remarks.length > 0 && (
        <ul className={classes.notes} aria-label="Remarks">
          {remarks.map((remark, index) => (
            <li key={index}>
              <ValuesInText text={remark.text} /> {linkOf?.(remark)}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

/** The name of the Scenario, from there on: the name of its group may contain it. */
function emphasise(finding: string, scenario: string, from: number) {
  const start = finding.indexOf(scenario, from);
  if (start < 0) return <ValuesInText text={finding} />;
  return (
    <>
      <ValuesInText text={finding.slice(0, start)} />
      <strong>{scenario}</strong>
      <ValuesInText text={finding.slice(start + scenario.length)} />
    </>
  );
}

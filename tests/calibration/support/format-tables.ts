import { flags, type Flag } from '#core/comparison/latencies/flag.ts';
import type { Calibration } from './calibrate.ts';

/** The tables of docs/statistics.md, in Markdown. */
export function formatTables({
  coverage,
  falsePositives,
  mistakes,
  runsWithAdded,
  addedRounds,
  dependence,
  family,
  reversals,
  lostObjects,
  lossesFound,
  power,
  equivalence,
  bootstrap,
}: Calibration): string {
  const runs = coverage[0]!.runs.toLocaleString('en');
  return [
    `**Coverage of 95 % intervals when the stop rule ends the Run** (${runs} simulated Runs a line). The target is ±10 %, in 5 to 60 Rounds. A Scenario takes 10 % less time than the baseline.`,
    table(
      [
        'condition',
        'Blocks',
        'target reached',
        'mean',
        'median (exact)',
        'reduction',
        'flagged',
        'flags raised in more than 5 %',
      ],
      coverage.map((row) => [
        row.condition,
        row.meanBlocks.toFixed(0),
        percent(row.reached),
        percent(row.meanCovered),
        row.medianCovered === null ? 'not defined' : percent(row.medianCovered),
        percent(row.reductionCovered),
        percent(row.flagged),
        listFlags(row.byFlag),
      ]),
    ),
    `**False positives**: the same Scenario twice, in random Blocks, ended by the stop rule (${runs} simulated Runs a line, at α = 5 %)`,
    table(
      ['condition', 'reduction (headline)', 'were it not corrected for the stop rule', 'Hodges–Lehmann interval'],
      falsePositives.map((row) => [
        row.condition,
        percent(row.reduction),
        percent(row.uncorrected),
        percent(row.hodgesLehmann),
      ]),
    ),
    `What is not done, and why, in ${runs} simulated Runs each without a difference. With 10 % of drift over 20 Rounds, ${percent(mistakes.sequential)} show one if the Scenarios are measured one after the other. In random Blocks, ${percent(mistakes.randomBlocks)} show one. If a Run stops as soon as p < 0.05, from 5 up to 60 Blocks, ${percent(mistakes.peeking)} show one.`,
    `**Rounds that are added** to a Run of 10 Blocks without a difference, up to 5 times while it shows none. The part of the Runs that show one in the end (${runsWithAdded.toLocaleString('en')} simulated Runs a line)`,
    table(
      [
        'Blocks added',
        'declared before the Run',
        'not declared',
        'only after Rounds were added',
        'were it not corrected',
      ],
      addedRounds.map((row) => [
        row.addition,
        percent(row.declared),
        percent(row.undeclared),
        percent(row.later),
        percent(row.uncorrected),
      ]),
    ),
    `Three users who load four pages each in 8 Blocks, and share what varies from Round to Round: ${percent(dependence.ofRounds)} of ${runs} Runs without a difference show one; were every Visit taken as independent, ${percent(dependence.ofVisits)} would.`,
    `Of 30 URLs that do not differ, in 10 Blocks, at least one is found to differ in ${percent(family.corrected)} of ${runs} Runs. Without Holm’s correction, in ${percent(family.uncorrected)}.`,
    `**Reversals**: how often a Run of 12 pages in 10 Blocks states that some are faster and others slower (${runs} simulated Runs a line)`,
    table(
      ['pages with 20 % less time', 'with 20 % more', 'without a difference', 'stated'],
      reversals.map(({ faster, slower, found }) => [
        String(faster),
        String(slower),
        String(12 - faster - slower),
        `${percent(found)} ${faster > 0 && slower > 0 ? '(power)' : '(false positives)'}`,
      ]),
    ),
    `**Lost objects**: how often two Scenarios that lose objects alike are said to differ, 10 Visits a Round (${runs} simulated Runs a figure). If each Visit loses some at 10 % under the baseline and at 30 % under the Scenario, ${percent(lossesFound)} of Runs say so in 10 Blocks.`,
    table(
      ['losses', ...blocksOf(lostObjects).map((blocks) => `${blocks} Blocks`)],
      [...Map.groupBy(lostObjects, ({ condition }) => condition)].map(([condition, row]) => [
        condition,
        ...row.map(({ found }) => percent(found)),
      ]),
    ),
    `**Power**: how often a Scenario that takes 10 % less time is found to be faster (${runs} simulated Runs a figure). The variation is the standard deviation of a Round’s logarithmic value.`,
    table(
      ['variation of a Round', ...blocksOf(power).map((blocks) => `${blocks} Blocks`)],
      [...Map.groupBy(power, ({ variation }) => variation)].map(([variation, row]) => [
        `${(100 * variation).toFixed(0)} %`,
        ...row.map(({ found }) => percent(found)),
      ]),
    ),
    `**Equivalence within 5 %**, at 5 % variation: how often it is stated (${runs} simulated Runs a figure)`,
    table(
      ['true difference', ...blocksOf(equivalence).map((blocks) => `${blocks} Blocks`)],
      [...Map.groupBy(equivalence, ({ ratio }) => ratio)].map(([ratio, row]) => [
        ratio === 1 ? 'none (power)' : 'just the margin (false positives)',
        ...row.map(({ found }) => percent(found)),
      ]),
    ),
    `**t interval or bootstrap**: coverage of the mean log ratio with a fixed number of Blocks (${runs} simulated Runs a line)`,
    table(
      ['log ratios', 'Blocks', 't', 'BCa'],
      bootstrap.map(({ shape, blocks, t, bca }) => [shape, String(blocks), percent(t), percent(bca)]),
    ),
  ].join('\n\n');
}

function blocksOf(rows: readonly { blocks: number }[]): number[] {
  return [...new Set(rows.map(({ blocks }) => blocks))];
}

function listFlags(byFlag: Partial<Record<Flag, number>>): string {
  const often = (Object.entries(byFlag) as [Flag, number][])
    .filter(([, part]) => part > 0.05)
    .sort(([, a], [, b]) => b - a);
  return often.map(([flag, part]) => `${flags[flag].label} ${percent(part)}`).join(', ') || 'none';
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

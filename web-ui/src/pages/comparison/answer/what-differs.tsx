import { Text } from '@mantine/core';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { SettingDifference } from '#core/comparison/scenario-settings/scenario-conditions.ts';
import { PlaceLink } from './answer-facts.tsx';

/** More Scenarios, settings or letters are for the table of conditions. */
const [mostScenarios, mostSettings, mostLetters] = [3, 3, 48];

/** Whether a line says all in which Scenarios differ. */
export function isBrief(conditions: Comparison['conditions']): boolean {
  const others = conditions.filter(({ isBaseline }) => !isBaseline);
  return (
    others.length > 0 &&
    others.length <= mostScenarios &&
    conditions.every(
      ({ description, differences }) =>
        description === '' &&
        differences.length <= mostSettings &&
        differences.every(({ baseline, own, isScript }) => !isScript && cut(baseline) === baseline && cut(own) === own),
    ) &&
    others.every(({ differences }) => differences.length > 0)
  );
}

/** What was changed, in a line: `Protocols: http/1.1 → h2`. */
export function WhatDiffers({ conditions }: Pick<Comparison, 'conditions'>) {
  const others = conditions.filter(({ isBaseline, differences }) => !isBaseline && differences.length > 0);
  if (others.length === 0 || others.length > mostScenarios) return null;
  return (
    <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
      {others.map(({ scenario, differences }) => (
        <div key={scenario}>
          {others.length > 1 ? `${scenario}: ` : 'Changed: '}
          {differences.slice(0, mostSettings).map(describe).join('; ')}
          {differences.length > mostSettings && `; and ${differences.length - mostSettings} more`}.{' '}
          <PlaceLink place="conditions">Conditions</PlaceLink>
        </div>
      ))}
    </Text>
  );
}

function describe({ setting, baseline, own, isScript }: SettingDifference): string {
  return isScript ? setting : `${setting}: ${cut(baseline)} → ${cut(own)}`;
}

function cut(words: string): string {
  return words.length > mostLetters ? `${words.slice(0, mostLetters)} …` : words;
}

import { Badge, Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { countChecks } from '#core/comparison/checks/list-checks.ts';
import type { Check } from '#core/comparison/checks/check.ts';
import { ValuesInText } from '../../../components/values-in-text.tsx';
import { PlaceLink } from './answer-facts.tsx';
import classes from './trust-checks.module.css';

const marks = { passed: '✓', failed: '✕', unknown: '?' } as const;
const words = { passed: 'passed', failed: 'failed', unknown: 'not known' } as const;

/** How many checks passed, which of those that failed touch the reduction, and the whole list on request. */
export function TrustChecks({ checks, beside }: { checks: readonly Check[]; beside: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const { passed, of } = countChecks(checks);
  const failed = checks.filter(({ state }) => state === 'failed');
  const touching = failed.filter(({ touchesReduction }) => touchesReduction);
  return (
    <Stack gap="xs">
      <Group gap="4px 12px" align="center">
        <Button
          size="compact-sm"
          variant="default"
          radius="xl"
          aria-expanded={isOpen}
          onClick={toggle}
          leftSection={
            <span aria-hidden="true" className={classes.mark} data-state={touching.length > 0 ? 'failed' : 'passed'}>
              {touching.length > 0 ? '!' : '✓'}
            </span>
          }
        >
          {passed} of {of} checks passed
        </Button>
        <Text size="sm" c="dimmed">
          {summarise(failed.length, touching.length)}
        </Text>
        {beside}
      </Group>
      {touching.length > 0 && !isOpen && <CheckList label="Checks that touch the reduction" checks={touching} />}
      <Collapse expanded={isOpen} transitionDuration={0}>
        <CheckList label="Checks" checks={checks} />
      </Collapse>
    </Stack>
  );
}

function summarise(failed: number, touching: number): string {
  if (failed === 0) return 'Nothing speaks against the result.';
  if (touching === 0) return 'Those that failed do not touch the reduction.';
  return `${touching === failed ? (failed === 1 ? 'It touches' : 'They touch') : `${touching} of the ${failed} that failed touch`} the reduction.`;
}

function CheckList({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <ul className={classes.checks} aria-label={label}>
      {checks.map(({ id, label: name, state, found, touchesReduction, effect, place }) => (
        <li key={id} className={classes.check}>
          <span className={classes.mark} data-state={state} role="img" aria-label={words[state]}>
            {marks[state]}
          </span>
          <span>
            <strong>{name}</strong>{' '}
            {touchesReduction && (
              <Badge size="sm" variant="light" color="yellow" tt="none">
                touches the reduction
              </Badge>
            )}{' '}
            <ValuesInText text={found} /> {effect !== '' && <ValuesInText text={effect} />}{' '}
            {state === 'failed' && place !== null && <PlaceLink place={place}>Details</PlaceLink>}
          </span>
        </li>
      ))}
    </ul>
  );
}

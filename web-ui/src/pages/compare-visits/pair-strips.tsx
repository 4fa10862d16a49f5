import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { Filmstrip } from '../visit/filmstrip.tsx';
import type { TimeScale } from '../visit/time-lane.tsx';
import type { SeenVisit } from '../visit/use-seen-visit.ts';

/** The filmstrips of both Visits, for the time axis of their requests. None where neither Visit has one. */
export function pairStrips(
  both: readonly SeenVisit[],
  scales: readonly TimeScale[],
): { name: ReactNode; strip: ReactNode }[] {
  if (both.every(({ looks }) => looks.length === 0)) return [];
  return both.map(({ visit, looks, style }, index) => ({
    name: <ScenarioName name={visit.scenario} style={style} />,
    strip:
      visit.filmstrip?.kind === 'kept' && visit.snapshot ? (
        <Filmstrip
          looks={looks}
          leftOut={visit.filmstrip.leftOut}
          viewport={visit.snapshot.viewport}
          scale={scales[index]!}
        />
      ) : (
        <Text size="sm" c="dimmed">
          No filmstrip: {visit.filmstrip?.kind === 'absent' ? visit.filmstrip.reason : 'none was requested.'}
        </Text>
      ),
  }));
}

import type { Comparison } from '#core/comparison/comparison.ts';
import { useIsAlone } from '../../components/report-place.ts';
import { PlaceLink } from './place-link.tsx';
import { VisitsLink } from '../../components/run/visits-link.tsx';

/** A link to the subject of a remark. */
export function RemarkLink({ about, runId }: { about: Comparison['remarks'][number]['about']; runId: string }) {
  const isAlone = useIsAlone();
  switch (about) {
    case 'order':
    case 'added':
    case 'host-load':
      return <PlaceLink place="method">Method</PlaceLink>;
    case 'failed':
    case 'unsettled':
      return isAlone ? null : <VisitsLink filter={{ runId, status: about }}>The {about} Visits</VisitsLink>;
    case 'start-order':
      return <PlaceLink place="users">Start order</PlaceLink>;
    case 'lost-objects':
      return isAlone ? (
        <PlaceLink place="scenarios">Scenarios</PlaceLink>
      ) : (
        <VisitsLink filter={{ runId, status: 'failed-objects' }}>Visits with failed objects</VisitsLink>
      );
    case 'flag':
    case 'lossy':
    case 'ended-tls':
      return <PlaceLink place="scenarios">Scenarios</PlaceLink>;
  }
}

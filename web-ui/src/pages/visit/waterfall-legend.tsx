import { phaseKinds, type PhaseKind } from '#core/causes/request-phases.ts';
import { Term } from '../../components/terms/term.tsx';
import { formatMs } from '../../format/format-times.ts';
import { barPxOf } from './time-lane.tsx';
import type { VisitMarker } from './visit-markers.ts';
import classes from './waterfall.module.css';

interface WaterfallLegendProps {
  markers: VisitMarker[];
  /** Of a second Visit beside the first. */
  others?: VisitMarker[];
}

/** What the colours and the lines of a waterfall mean. */
export function WaterfallLegend({ markers, others = [] }: WaterfallLegendProps) {
  const otherOf = (metric: VisitMarker['metric']) => others.find((other) => other.metric === metric);
  return (
    <div className={classes.table} style={{ minWidth: 0, display: 'grid', gap: 4 }}>
      <ul className={classes.legend} aria-label="Phases">
        {phaseKinds.map((kind) => (
          <li key={kind} title={phaseWords[kind].meaning}>
            <svg width={12} height={12} aria-hidden="true">
              <rect
                x={kind === 'undivided' ? 0.5 : 0}
                width={kind === 'undivided' ? 11 : 12}
                height={barPxOf(kind, 12)}
                y={(12 - barPxOf(kind, 12)) / 2}
                className={kind === 'undivided' ? classes.hollow : undefined}
                style={kind === 'undivided' ? {} : { fill: `var(--${kind})` }}
              />
            </svg>
            {phaseWords[kind].label}
          </li>
        ))}
        <li>
          <span className={classes.need} aria-hidden="true">
            ◆
          </span>
          needed by the initial viewport
        </li>
      </ul>
      <ul className={classes.legend} aria-label="Moments">
        {markers.map(({ metric, label, atMs, dash }) => (
          <li key={metric}>
            <svg width={22} height={10} aria-hidden="true">
              <line className={classes.marker} x1={0} x2={22} y1={5} y2={5} strokeDasharray={dash} />
            </svg>
            <Term metric={metric}>{label}</Term> {formatMs(atMs)}
            {otherOf(metric) && ` and ${formatMs(otherOf(metric)!.atMs)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The name of a phase, and what it is. */
export const phaseWords: Record<PhaseKind, { label: string; meaning: string }> = {
  blocked: { label: 'blocked', meaning: 'Waiting for a connection, and all time outside the other phases.' },
  dns: { label: 'DNS', meaning: 'Name resolution.' },
  connect: { label: 'connect', meaning: 'TCP connection set-up, without TLS.' },
  tls: { label: 'TLS', meaning: 'TLS handshake.' },
  send: { label: 'send', meaning: 'Sending the request.' },
  wait: { label: 'wait', meaning: 'From the end of the request to the first byte of the response.' },
  receive: { label: 'receive', meaning: 'From the first to the last byte of the response.' },
  undivided: {
    label: 'phases not known',
    meaning: 'The browser hides the phases from the page, and no engine reported them.',
  },
};

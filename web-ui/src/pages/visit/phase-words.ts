import type { PhaseKind } from '#core/causes/request-phases.ts';

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

import type { PhaseKind } from '#core/waterfall/lay-out-phases.ts';

/** The name of a phase, and what it is. */
export const phaseWords: Record<PhaseKind, { label: string; meaning: string }> = {
  blocked: { label: 'blocked', meaning: 'Waiting for a connection, and all time of no other phase.' },
  dns: { label: 'DNS', meaning: 'Name resolution.' },
  connect: { label: 'connect', meaning: 'TCP connection set-up, without TLS.' },
  tls: { label: 'TLS', meaning: 'TLS handshake.' },
  send: { label: 'send', meaning: 'The request is sent.' },
  wait: { label: 'wait', meaning: 'From the request sent to the first byte of the response.' },
  receive: { label: 'receive', meaning: 'From the first to the last byte of the response.' },
  undivided: { label: 'phases not known', meaning: 'The browser hides the phases from the page, and no engine reported them.' },
};

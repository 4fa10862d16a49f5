/** The places of the header, each with the key that leads there. */
export const places = [
  { to: '/', label: 'Evaluations', key: 'e' },
  { to: '/runs', label: 'Runs', key: 'r' },
  { to: '/hosts', label: 'Hosts', key: 'h' },
  { to: '/settings', label: 'Settings', key: 's' },
  { to: '/help', label: 'Help', key: 'd' },
] as const;

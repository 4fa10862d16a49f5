/** The places of the header, each with the key that leads there, and where its pages are. */
export const places = [
  { to: '/', label: 'Evaluations', key: 'e', below: '/evaluations' },
  { to: '/runs', label: 'Runs', key: 'r', below: '/runs' },
  { to: '/hosts', label: 'Hosts', key: 'h', below: '/hosts' },
  { to: '/sites', label: 'Sites', key: 't', below: '/sites' },
  { to: '/settings', label: 'Settings', key: 's', below: '/settings' },
  { to: '/help', label: 'Help', key: 'd', below: '/help' },
] as const;

/** Whether the page at a path is that of the place, or below it. */
export function isPlaceOf({ to, below }: Pick<(typeof places)[number], 'to' | 'below'>, pathname: string): boolean {
  return pathname === to || pathname === below || pathname.startsWith(`${below}/`);
}

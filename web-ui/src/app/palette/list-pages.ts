import { contents } from '../../pages/help/contents.ts';
import { places } from '../places.ts';
import type { PaletteEntry } from './palette-entry.ts';

const settings = [
  { to: '/settings', label: 'Account and password', keywords: 'you name' },
  { to: '/settings/sessions', label: 'Sessions', keywords: 'sign out browser' },
  { to: '/settings/tokens', label: 'Tokens', keywords: 'api program agent' },
  { to: '/settings/people', label: 'People', keywords: 'roles invite admin' },
  { to: '/settings/audit', label: 'Audit log', keywords: 'who did what' },
  { to: '/settings/retention', label: 'Retention', keywords: 'storage traces disk' },
];

/** The pages that are there in any case. */
export function listPages({ mayChange }: { mayChange: boolean }): PaletteEntry[] {
  return [
    ...places.map(({ to, label }) => ({ id: `page ${to}`, kind: 'Page' as const, label, to })),
    ...(mayChange ? [{ id: 'page new', kind: 'Page' as const, label: 'New Evaluation', to: '/evaluations/new' }] : []),
    { id: 'page compare', kind: 'Page', label: 'Runs side by side', keywords: 'compare runs', to: '/runs/compare' },
    { id: 'page add', kind: 'Page', label: 'Add a host', keywords: 'agent', to: '/hosts?add=' },
    { id: 'page ssh', kind: 'Page', label: 'Hosts by SSH', keywords: 'agent ansible inventory', to: '/hosts/ssh' },
    ...settings.map((setting) => ({ id: `setting ${setting.to}`, kind: 'Setting' as const, ...setting })),
    ...contents.map(({ name, label }) => ({
      id: `help ${name}`,
      kind: 'Help' as const,
      label,
      to: name === '' ? '/help' : `/help/${name}`,
    })),
  ];
}

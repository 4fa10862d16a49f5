import { AppError } from '#core/app-error.ts';
import type { ResolvedHost } from './resolve-hosts.ts';

/** The hosts of these groups, or with these names, separated by commas; all of them without a limit. Throws `invalid-input` for a name that is neither. */
export function limitHosts(hosts: ResolvedHost[], limit: string | undefined): ResolvedHost[] {
  if (limit === undefined) return hosts;
  const wanted = new Set(
    limit
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
  const groups = new Set(hosts.flatMap((host) => [...host.groups]));
  for (const name of wanted) {
    if (groups.has(name) || hosts.some((host) => host.name === name)) continue;
    throw new AppError(
      'invalid-input',
      `--limit ${name} is no group with hosts and no host. Groups: ${[...groups].sort().slice(0, 50).join(', ')}`,
    );
  }
  const chosen = hosts.filter(
    ({ name, groups: around }) => wanted.has(name) || [...around].some((each) => wanted.has(each)),
  );
  if (chosen.length === 0) throw new AppError('invalid-input', '--limit names no group and no host');
  return chosen;
}

import { AppError } from '#core/app-error.ts';
import { listIssues, parseYaml, type LocatedIssue } from '#core/input/parse-yaml.ts';
import { readTextFile } from '#httpep/command/read-text-file.ts';
import { InventorySchema } from './inventory-schema.ts';
import { resolveHosts, type ResolvedHost } from './resolve-hosts.ts';
import { toSshHost, type SshHost } from './ssh-host.ts';

const mostFaultsListed = 20;

/** The hosts of an inventory of Ansible's YAML form, those of `limit` only if it is given. Throws `invalid-input` with the line of each fault. */
export async function readInventory(file: string, limit?: string): Promise<SshHost[]> {
  const text = await readTextFile(file, 'name an inventory by --inventory FILE');
  try {
    const parsed = parseYaml(text, InventorySchema);
    if (parsed.kind !== 'valid') throw new AppError('invalid-input', listFaults(file, parsed.issues));
    const hosts = resolveHosts(parsed.value);
    if (hosts.length === 0) throw new AppError('invalid-input', `${file}: it has no hosts`);
    return limitHosts(hosts, limit).map(toSshHost);
  } catch (error) {
    if (!(error instanceof AppError) || error.message.startsWith(file)) throw error;
    throw new AppError('invalid-input', `${file}: ${error.message}`, { cause: error });
  }
}

function listFaults(file: string, issues: LocatedIssue[]): string {
  return `${listIssues(file, issues.slice(0, mostFaultsListed))}\nNothing was changed.`;
}

/** The hosts of these groups, or with these names, separated by commas; all of them without a limit. Throws `invalid-input` for a name that is neither. */
function limitHosts(hosts: ResolvedHost[], limit: string | undefined): ResolvedHost[] {
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

import { readFile, stat } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import { formatPath } from '#core/input/describe-issues.ts';
import { parseYaml, type LocatedIssue } from '#core/input/parse-yaml.ts';
import { InventorySchema } from './inventory-schema.ts';
import { resolveHosts, type ResolvedHost } from './resolve-hosts.ts';
import { toSshHost, type SshHost } from './ssh-host.ts';

const maximumBytes = 2_000_000;
const mostFaultsListed = 20;

/** The hosts of an inventory of Ansible's YAML form, those of `limit` only if it is given. Throws `invalid-input` with the line of each fault. */
export async function readInventory(file: string, limit?: string): Promise<SshHost[]> {
  const text = await readText(file);
  try {
    const parsed = parseInventory(text);
    if (parsed.kind !== 'valid') throw new AppError('invalid-input', listFaults(file, parsed.issues));
    const hosts = resolveHosts(parsed.value);
    if (hosts.length === 0) throw new AppError('invalid-input', `${file}: it has no hosts`);
    return limitHosts(hosts, limit).map(toSshHost);
  } catch (error) {
    if (!(error instanceof AppError) || error.message.startsWith(file)) throw error;
    throw new AppError('invalid-input', `${file}: ${error.message}`, { cause: error });
  }
}

function parseInventory(text: string) {
  try {
    return parseYaml(text, InventorySchema);
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('invalid-input', 'its mappings or lists are too deep within each other', { cause: error });
  }
}

async function readText(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > maximumBytes)
      throw new AppError('invalid-input', `${file} is larger than ${maximumBytes} bytes, and so no inventory`);
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'invalid-input',
      `${file} cannot be read (${(cause as Error).message}): name an inventory by --inventory FILE`,
      { cause },
    );
  }
}

function listFaults(file: string, issues: LocatedIssue[]): string {
  const listed = issues
    .slice(0, mostFaultsListed)
    .map(({ line, path, message }) =>
      [`${file}${line === null ? '' : `:${line}`}`, formatPath(path), message].filter(Boolean).join(': '),
    );
  return `${listed.join('\n')}\nNothing was changed.`;
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

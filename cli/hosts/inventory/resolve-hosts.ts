import { AppError } from '#core/app-error.ts';
import type { HostVariables, Inventory, InventoryGroup } from './inventory-schema.ts';

const rangePattern = /^(.*?)\[(\d+|[a-z]|[A-Z]):(\d+|[a-z]|[A-Z])(?::([1-9]\d*))?\](.*)$/s;

/** As many as one Controller is meant for, with room. */
export const mostHosts = 2_000;
/** Of groups within groups. */
const mostLevels = 20;

/** A host of an inventory, with the variables that count for it. */
export interface ResolvedHost {
  name: string;
  /** All groups that it is in, of itself or by their children. */
  groups: ReadonlySet<string>;
  variables: HostVariables;
}

interface Group {
  name: string;
  /** How far below `all`; the deepest place counts. */
  level: number;
  variables: HostVariables[];
  parents: Set<string>;
  hosts: Map<string, HostVariables[]>;
}

/**
 * The hosts in the order of the inventory. Of one variable, that of the host counts, else that of the deepest group, of groups
 * of one level the last by name: https://docs.ansible.com/ansible/latest/inventory_guide/intro_inventory.html. Throws `invalid-input`.
 */
export function resolveHosts(inventory: Inventory): ResolvedHost[] {
  const groups = new Map<string, Group>();
  const collect = (name: string, group: InventoryGroup | null, above: readonly string[]): void => {
    if (above.includes(name))
      throw new AppError('invalid-input', `the group "${name}" is within itself: ${[...above, name].join(' > ')}`);
    if (above.length === mostLevels)
      throw new AppError('invalid-input', `the group "${name}" is more than ${mostLevels} levels deep`);
    const known = groups.get(name) ?? {
      name,
      level: 0,
      variables: [] as HostVariables[],
      parents: new Set<string>(),
      hosts: new Map<string, HostVariables[]>(),
    };
    groups.set(name, known);
    const parent = above.at(-1);
    if (parent !== undefined) known.parents.add(parent);
    else if (name !== 'all') known.parents.add('all');
    if (group?.vars) known.variables.push(group.vars);
    for (const [pattern, variables] of Object.entries(group?.hosts ?? {}))
      for (const host of namesOf(pattern))
        known.hosts.set(host, [...(known.hosts.get(host) ?? []), ...(variables ? [variables] : [])]);
    for (const [child, content] of Object.entries(group?.children ?? {})) collect(child, content, [...above, name]);
  };
  for (const [name, group] of Object.entries(inventory)) collect(name, group, []);
  setLevels(groups);

  const hosts = new Map<string, HostVariables[]>();
  for (const group of groups.values())
    for (const [host, variables] of group.hosts) hosts.set(host, [...(hosts.get(host) ?? []), ...variables]);
  if (hosts.size > mostHosts)
    throw new AppError('invalid-input', `it has ${hosts.size} hosts, and at most ${mostHosts} are allowed`);
  return [...hosts].map(([name, own]) => {
    const around = groupsOf(name, groups).sort((a, b) => a.level - b.level || (a.name < b.name ? -1 : 1));
    const layers = [...around.flatMap(({ variables }) => variables), ...own];
    return {
      name,
      groups: new Set(['all', ...around.map((group) => group.name)]),
      variables: Object.assign({}, ...layers) as HostVariables,
    };
  });
}

function namesOf(pattern: string): string[] {
  const names = expandRange(pattern, mostHosts);
  if (names === null)
    throw new AppError(
      'invalid-input',
      `the range in "${pattern}" must go up, from number to number or letter to letter, and give at most ${mostHosts} hosts`,
    );
  const long = names.find((name) => name.trim() === '' || name.length > 80);
  if (long !== undefined)
    throw new AppError('invalid-input', `the name of the host "${long}" must have 1 to 80 characters`);
  return names;
}

/** A group may be defined at one place and have its parents at others. Without circles, which `collect` may see only in part, this ends. */
function setLevels(groups: Map<string, Group>): void {
  for (let round = 0, isSettled = false; !isSettled; round++) {
    if (round > groups.size) throw new AppError('invalid-input', 'its groups are within each other in a circle');
    isSettled = true;
    for (const group of groups.values()) {
      const level = Math.max(0, ...[...group.parents].map((parent) => (groups.get(parent)?.level ?? 0) + 1));
      if (level !== group.level) isSettled = false;
      group.level = level;
    }
  }
}

function groupsOf(host: string, groups: Map<string, Group>): Group[] {
  const found = new Set<Group>();
  const add = (group: Group | undefined): void => {
    if (group === undefined || found.has(group)) return;
    found.add(group);
    for (const parent of group.parents) add(groups.get(parent));
  };
  for (const group of groups.values()) if (group.hosts.has(host)) add(group);
  return [...found];
}

/** The names that a pattern such as `lab-[01:20]` or `lab-[a:d]` stands for, as in Ansible; null when there would be more than `limit`, or a range is turned around. */
export function expandRange(pattern: string, limit: number): string[] | null {
  const [, before, first, last, step = '1', after] = rangePattern.exec(pattern) ?? [];
  if (before === undefined || after === undefined || first === undefined || last === undefined) return [pattern];
  const isNumeric = /^\d+$/.test(first);
  if (isNumeric !== /^\d+$/.test(last)) return null;
  const number = (text: string) => (isNumeric ? Number(text) : text.charCodeAt(0));
  const count = Math.floor((number(last) - number(first)) / Number(step)) + 1;
  if (!(count >= 1 && count <= limit)) return null;

  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    const value = number(first) + index * Number(step);
    const text = isNumeric
      ? String(value).padStart(first.startsWith('0') ? first.length : 0, '0')
      : String.fromCharCode(value);
    const expanded = expandRange(before + text + after, limit);
    if (expanded === null || names.length + expanded.length > limit) return null;
    names.push(...expanded);
  }
  return names;
}

import { AppError } from '#core/app-error.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Which of these hosts each object of a page is at, from the first object on. Host k of N has a share of 1/k of what the first has (Zipf), as few hosts of a page serve most of its
 * objects. Each object goes to the host that is furthest behind its share, the earlier one of equals: so any first part of the page is spread alike.
 */
export function spreadObjects(objects: number, hosts: number): number[] {
  const weights = Array.from({ length: hosts }, (_, index) => 1 / (index + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const given = weights.map(() => 0);
  return Array.from({ length: objects }, (_, index) => {
    const lacking = weights.map((weight, host) => ((index + 1) * weight) / sum - given[host]!);
    const host = lacking.indexOf(Math.max(...lacking));
    given[host]! += 1;
    return host;
  });
}

/** The base URL of each object of a page, over the scheme of the page, by its `hosts`; null where it has none. Throws `invalid-input`. */
export function listObjectHosts({ query, hosts: names }: Exchange, objects: number): string[] | null {
  const { hosts, push } = query;
  if (hosts === undefined) return null;
  if (names.length === 0)
    throw new AppError(
      'invalid-input',
      'hosts needs a page of a host with a name: write "network.hosts" in the Scenario',
    );
  if (hosts > names.length)
    throw new AppError('invalid-input', `hosts is ${hosts}, and "network.hosts" of the Scenario has ${names.length}`);
  if (push !== undefined)
    throw new AppError('invalid-input', 'hosts cannot be used with push: a host pushes only what it serves itself');
  return spreadObjects(objects, hosts).map((host) => `//${names[host]}`);
}

import { expect, test } from 'vitest';
import { InventorySchema } from '#cli/hosts/inventory/inventory-schema.ts';
import { resolveHosts } from '#cli/hosts/inventory/resolve-hosts.ts';

const namesOf = (...patterns: string[]) =>
  resolveHosts(
    InventorySchema.parse({ all: { hosts: Object.fromEntries(patterns.map((pattern) => [pattern, null])) } }),
  ).map(({ name }) => name);

test('a range stands for its hosts, with as many digits as its first, and in its steps', () => {
  expect(namesOf('web[08:10].test', 'db[a:c]', 'x[1:9:4]')).toEqual([
    ...['web08.test', 'web09.test', 'web10.test', 'dba', 'dbb', 'dbc', 'x1', 'x5', 'x9'],
  ]);
  for (const pattern of ['a[3:1]', 'a[1:c]', 'a[1:999999999]'])
    expect(() => namesOf(pattern)).toThrow(/must go up, from number to number or letter to letter/);
});

test('the name of a host has at most 80 characters', () => {
  expect(namesOf('a'.repeat(80))).toEqual(['a'.repeat(80)]);
  expect(() => namesOf('a'.repeat(81))).toThrow('must have 1 to 80 characters');
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const parts = [
  'agent',
  'bench',
  'cli',
  'controller',
  'core',
  'deploy',
  'docs',
  'examples',
  'extension',
  'httpep',
  'migrations',
  'probe',
  'site',
  'studies',
  'testbed',
  'tests',
  'web-ui',
];
const isPath = (text: string) =>
  parts.some((part) => text === part || text.startsWith(`${part}/`)) && !/[ *…]|NNNN/.test(text);

describe.each([
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/contributing/words.md',
  'docs/statistics.md',
  'docs/security.md',
])('%s', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8');

  test('names files that are there', () => {
    const named = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!).filter(isPath);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });

  test('links to files that are there', () => {
    const linked = [...text.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, address]) => address!)
      .filter((address) => !address.startsWith('http') && !address.startsWith('/'));
    expect(linked.filter((address) => !existsSync(path.resolve(root, path.dirname(file), address)))).toEqual([]);
  });
});

test('the numbers of decisions are unique, and their titles have them', () => {
  const files = globSync('docs/decisions/*.md', { cwd: root });
  const numbers = files.map((file) => path.basename(file).slice(0, 4));
  expect(files.length).toBeGreaterThan(20);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(
    files.filter((file, index) => !readFileSync(path.join(root, file), 'utf8').startsWith(`# ${numbers[index]}: `)),
  ).toEqual([]);
});

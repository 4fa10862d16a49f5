import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCircles } from './support/find-circles.ts';
import { folders, listFiles, readImports, targetOf, type Import } from './support/read-imports.ts';

/** Which folders each folder may import from (docs/decisions/0001-who-imports-whom.md). */
const allowed: Record<string, string[]> = {
  core: [],
  probe: ['core'],
  extension: ['core', 'probe'],
  agent: ['core'],
  controller: ['core', 'site'],
  'web-ui': ['core'],
  site: ['core'],
  testbed: ['core', 'site'],
  httpep: ['core'],
  cli: ['core', 'agent', 'controller', 'site', 'testbed', 'httpep'],
  bench: ['core', 'agent', 'controller', 'site', 'testbed', 'httpep', 'cli', 'tests'],
  docs: ['core', 'agent', 'tests'],
  tests: folders.filter((folder) => !['bench', 'docs'].includes(folder)),
};
const packagesOfCore = ['zod', 'pure-rand', 'yaml', '@stdlib'];
/** They read HTML, CSS and cookies, which only these files do. */
const packagesOfPageObjects = [
  'parse5',
  'parse5-htmlparser2-tree-adapter',
  'saxes',
  'domhandler',
  'domutils',
  'css-select',
  'css-tree',
  'tough-cookie',
];

const folderOf = (each: Import) => targetOf(each)?.split(path.sep)[0] ?? null;

test('every folder of code has a rule', () => {
  expect(Object.keys(allowed).sort()).toEqual(folders.toSorted());
});

test.for(Object.entries(allowed))('%s imports only from folders that it may import from', ([folder, others]) => {
  const forbidden = readImports(folder).filter((each) => {
    const target = folderOf(each);
    return target !== null && target !== folder && target !== 'package.json' && !others.includes(target);
  });
  expect(forbidden.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('core imports only packages for schemas, statistics, random numbers, YAML and the objects of pages', () => {
  const packages = readImports('core').filter((each) => targetOf(each) === null);
  const isAllowed = ({ file, specifier }: Import) =>
    packagesOfCore.some((name) => specifier === name || specifier.startsWith(`${name}/`)) ||
    (file.startsWith(path.join('core', 'page-objects')) && packagesOfPageObjects.includes(specifier));
  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter((each) => !isAllowed(each))).toEqual([]);
});

test('of the Comparison, the record, the stop rule and statistics, each imports only those after it', () => {
  const order = ['comparison', 'record', 'stop-rule', 'statistics'];
  const rankOf = (file: string | null) =>
    order.findIndex((name) => file?.startsWith(path.join('core', name) + path.sep));
  const ranked = readImports('core').map((each) => ({
    ...each,
    from: rankOf(each.file),
    to: rankOf(targetOf(each)),
  }));
  expect(ranked.filter(({ from, to }) => from !== -1 && to > from)).not.toHaveLength(0);
  const backward = ranked.filter(({ from, to }) => to !== -1 && to < from);
  expect(backward.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('the probe imports only types from other folders', () => {
  const foreign = readImports('probe').filter(
    (each) => folderOf(each) !== 'probe' && each.file !== path.join('probe', 'vite.config.ts'),
  );
  expect(foreign.filter(({ isTypeOnly }) => !isTypeOnly)).toEqual([]);
});

test('what shows and routes pages in the web UI is imported only where the UI and the report start', () => {
  const source = path.join('web-ui', 'src');
  const roof = path.join(source, 'app') + path.sep;
  const starts = ['main.tsx', path.join('report', 'main.tsx')].map((name) => path.join(source, name));
  const intoRoof = readImports('web-ui').filter((each) => targetOf(each)?.startsWith(roof));
  const upward = intoRoof.filter(({ file }) => !file.startsWith(roof) && !starts.includes(file));
  expect(intoRoof.length).toBeGreaterThan(0);
  expect(upward.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('figures are data: one file says how Chart.js draws them', () => {
  const describing = listFiles('web-ui').filter(
    (file) =>
      !file.startsWith(path.join('web-ui', 'src', 'components', 'chart') + path.sep) &&
      /import .*\bChartConfiguration\b/.test(readFileSync(file, 'utf8')),
  );
  expect(describing.map((file) => path.basename(file))).toEqual(['describe-plot.ts']);
});

test('a command loads what it does only when it is run', () => {
  const imports = Map.groupBy(
    ['cli', 'core', 'httpep', 'testbed', 'controller', 'agent', 'site'].flatMap(readImports),
    ({ file }) => file,
  );
  const loaded = new Set([path.join('cli', 'main.ts')]);
  const packages = new Set<string>();
  for (const file of loaded)
    for (const each of imports.get(file) ?? [])
      if (!each.isTypeOnly && !each.isDynamic) {
        const target = targetOf(each);
        if (target === null) packages.add(each.specifier);
        else loaded.add(target);
      }
  expect([...packages].filter((name) => !name.startsWith('node:')).sort()).toEqual(['commander', 'zod']);
});

test('the reader of imports sees every form', () => {
  expect(readImports('cli').map(({ specifier }) => specifier)).toEqual(
    expect.arrayContaining(['commander', './create-program.ts', '#core/app-error.ts', '../demo/run-demo.ts']),
  );
});

describe('circles', () => {
  test('no file imports itself, by way of others, types included', () => {
    const graph = new Map<string, string[]>();
    for (const each of folders.flatMap(readImports)) {
      const target = targetOf(each);
      if (target !== null) graph.set(each.file, [...(graph.get(each.file) ?? []), target]);
    }
    expect(graph.size).toBeGreaterThan(1000);
    expect(findCircles(graph)).toEqual([]);
  });

  test('are found, each once', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['b', 'e']],
      ['d', ['d']],
      ['e', []],
    ]);
    expect(findCircles(graph)).toEqual([['b', 'c'], ['d']]);
  });
});

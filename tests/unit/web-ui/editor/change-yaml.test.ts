import fc from 'fast-check';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { changeYaml, listChanges, separateChanges } from '#web-ui/src/pages/evaluation/editor/change-yaml.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import { findFreeName, findFreeTitle } from '#web-ui/src/pages/evaluation/editor/find-free-name.ts';
import { readPath } from '#web-ui/src/pages/evaluation/editor/path.ts';
import { editEvaluation, openEditor } from '#web-ui/src/pages/evaluation/editor/use-editor-state.ts';
import { writeEvaluation } from '#web-ui/src/pages/evaluation/editor/write-evaluation.ts';

test('a change keeps the comments, the order and the style of all else', () => {
  const text =
    '# mine\nname: A # the name\nuserAgents:\n  - { name: Ann, host: h }\n  # the second\n  - { name: Ben, host: h }\n';
  const changed = changeYaml(text, [
    { path: ['userAgents', 1, 'engine'], value: 'http' },
    { path: ['name'], value: 'B' },
  ]);
  expect(changed).toBe(
    '# mine\nname: B # the name\nuserAgents:\n  - { name: Ann, host: h }\n  # the second\n  - { name: Ben, host: h, engine: http }\n',
  );
});

test('what is missing on the way is made, and what becomes empty goes', () => {
  const made = changeYaml('scenarios:\n  - name: one\n    browser:\n', [
    { path: ['scenarios', 0, 'browser', 'proxy'], value: 'http://p:1' },
  ]);
  expect(parse(made)).toEqual({ scenarios: [{ name: 'one', browser: { proxy: 'http://p:1' } }] });
  expect(parse(changeYaml(made, [{ path: ['scenarios', 0, 'browser', 'proxy'], value: undefined }]))).toEqual({
    scenarios: [{ name: 'one' }],
  });
  expect(parse(changeYaml('', [{ path: ['userAgents', 0], value: { name: 'Ann' } }]))).toEqual({
    userAgents: [{ name: 'Ann' }],
  });
});

test.for([
  ['httpep', '{ bundling: false }', ['bundling']],
  ['network', '{ link: cable, path: {}, tcpPep: { windowBytes: 75000 } }', ['tcpPep', 'windowBytes']],
  ['network', '{ link: cable, path: { access: none } }', ['path', 'access']],
  ['network', '{ link: { preset: cable } }', ['link', 'preset']],
] as const)('of %s: %s, what is left stays on when %j returns to the default', ([setting, value, field]) => {
  const text = `scenarios:\n  - name: one\n    ${setting}: ${value}\n`;
  const cleared = changeYaml(text, [{ path: ['scenarios', 0, setting, ...field], value: undefined }]);
  expect(readPath(parse(cleared), ['scenarios', 0, setting, ...field.slice(0, -1)])).toEqual({});
  const off = changeYaml(cleared, [{ path: ['scenarios', 0, setting], value: undefined }]);
  expect(parse(off)).toEqual({ scenarios: [{ name: 'one' }] });
});

test('the preset of a link is taken out, though the link is written as one text', () => {
  const path = ['scenarios', 0, 'network', 'link', 'preset'];
  const cleared = changeYaml('scenarios:\n  - network: { link: cable }\n', [{ path, value: undefined }]);
  expect(parse(cleared)).toEqual({ scenarios: [{ network: { link: {} } }] });
});

test('a list is changed whose name YAML takes for a number', () => {
  const text = 'urlLists:\n  2024: # of this year\n    - { url: http://a/ }\n';
  const changed = changeYaml(text, [{ path: ['urlLists', '2024', 0, 'label'], value: 'A' }]);
  expect(parse(changed)).toEqual({ urlLists: { '2024': [{ url: 'http://a/', label: 'A' }] } });
  expect(openEditor(changed).isMalformed).toBe(false);
});

test('a page of a Site that is a list of its own gets its list when it is changed', () => {
  const text = '# mine\nurlLists:\n  p: { site: shop, page: 1 } # the shop\n';
  const editor = openEditor(text);
  expect(editor.input).toEqual({ urlLists: { p: [{ site: 'shop', page: 1 }] } });
  const changed = changeYaml(text, [
    { path: ['urlLists', 'p', 0, 'page'], value: 2 },
    { path: ['urlLists', 'p', 1], value: { site: 'news' } },
  ]);
  expect(parse(changed)).toEqual({ urlLists: { p: [{ site: 'shop', page: 2 }, { site: 'news' }] } });
  expect(changed).toContain('# mine');
  expect(parse(changeYaml(text, [{ path: ['urlLists', 'p', 0, 'page'], value: undefined }]))).toEqual({
    urlLists: { p: [{ site: 'shop' }] },
  });
});

test('a URL or a link that is written as one text keeps it when it gets a field', () => {
  const changed = changeYaml('urlLists:\n  p:\n    - http://a/\nscenarios:\n  - network: { link: cable }\n', [
    { path: ['urlLists', 'p', 0, 'label'], value: 'A' },
    { path: ['scenarios', 0, 'network', 'link', 'forward', 'lossRatio'], value: 0.01 },
  ]);
  expect(parse(changed)).toEqual({
    urlLists: { p: [{ url: 'http://a/', label: 'A' }] },
    scenarios: [{ network: { link: { preset: 'cable', forward: { lossRatio: 0.01 } } } }],
  });
});

test('a change to one of the places that share an anchor leaves the others as they are', () => {
  const changed = changeYaml('scenarios:\n  - &one { name: one, browser: { proxy: "http://p:1" } }\n  - *one\n', [
    { path: ['scenarios', 1, 'name'], value: 'two' },
  ]);
  expect(parse(changed)).toMatchObject({
    scenarios: [{ name: 'one' }, { name: 'two', browser: { proxy: 'http://p:1' } }],
  });
});

test('any text is read back as it was written', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed()),
      (text) => {
        expect(parse(changeYaml('name: a\nother: b\n', [{ path: ['name'], value: text }]))).toEqual({
          name: text,
          other: 'b',
        });
      },
    ),
  );
});

test('a stored Evaluation is written without what is empty, and means the same', () => {
  const evaluation = makeEvaluation();
  const prefs = {
    ...evaluation,
    scenarios: [
      { ...evaluation.scenarios[0]!, browser: { ...evaluation.scenarios[0]!.browser, prefs: { 'a.b': '' } } },
    ],
    userAgents: evaluation.userAgents.map((user) => ({ ...user, engine: 'firefox' as const })),
  };
  const path = { ...evaluation, scenarios: [{ ...evaluation.scenarios[0]!, network: { link: 'geo-1m', path: {} } }] };
  const withPath = EvaluationSchema.parse({ ...path, trend: {} });
  for (const each of [evaluation, prefs, withPath])
    expect(EvaluationSchema.parse(parse(writeEvaluation(each)))).toEqual(each);
  expect(writeEvaluation(evaluation)).not.toMatch(/\[\]|\{\}|''|""/);
});

test('while the text is no YAML the form shows what it said before, and changes nothing', () => {
  const before = openEditor('name: A\n');
  const broken = editEvaluation(before, { kind: 'write', text: 'name: [' });
  expect(broken).toMatchObject({ isMalformed: true, input: { name: 'A' }, evaluation: null });
  expect(editEvaluation(broken, { kind: 'change', changes: [{ path: ['name'], value: 'B' }] })).toBe(broken);
});

test('changes of two people are distinguished, and those to the same field are contested', () => {
  const base = { name: 'A', list: [1, 2], deep: { x: 1, y: 2 } };
  const mine = listChanges(base, { name: 'Mine', list: [1, 3], deep: { x: 5, y: 2 } });
  const theirs = listChanges(base, { name: 'Theirs', list: [1, 2, 3], deep: { x: 1 } });
  expect(theirs).toEqual([
    { path: ['name'], value: 'Theirs' },
    { path: ['list'], value: [1, 2, 3] },
    { path: ['deep', 'y'], value: undefined },
  ]);
  const { free, contested } = separateChanges(mine, theirs);
  expect(free).toEqual([{ path: ['deep', 'x'], value: 5 }]);
  expect(contested.map(({ path }) => path)).toEqual([['name'], ['list', 1]]);
});

test('a free name counts on from the one it is like', () => {
  expect([findFreeName('Ann', []), findFreeName('Ann', ['Ann']), findFreeName('Ann 2', ['Ann', 'Ann 2'])]).toEqual([
    'Ann',
    'Ann 2',
    'Ann 3',
  ]);
  expect(findFreeName('HTTP/2', ['HTTP/2'])).toBe('HTTP/2 2');
});

test('a free name is no longer than a name may be, and has no half of a character', () => {
  const long = `${'x'.repeat(79)}😀 alone`;
  const names = [findFreeName(long, []), findFreeName(long, ['x'.repeat(79)])];
  expect(names).toEqual(['x'.repeat(79), `${'x'.repeat(78)} 2`]);
  expect(names.map((name) => NameSchema.parse(name))).toEqual(names);
});

test('an Evaluation is named apart from all others, and no longer than it may be', () => {
  expect(findFreeTitle('HTTP/1.1 v HTTP/2', ['Else'])).toBe('HTTP/1.1 v HTTP/2');
  expect(findFreeTitle('HTTP/1.1 v HTTP/2', ['HTTP/1.1 v HTTP/2'])).toBe('HTTP/1.1 v HTTP/2 (2)');
  expect(findFreeTitle('A (2)', ['A', 'A (2)', 'A (3)'])).toBe('A (4)');
  const long = 'x'.repeat(80);
  expect(findFreeTitle(long, [long])).toBe(`${'x'.repeat(76)} (2)`);
});

import { expect, test } from 'vitest';
import { FigureFields } from '#web-ui/src/pages/evaluation/sections/figure-fields.tsx';
import { MoreSection } from '#web-ui/src/pages/evaluation/sections/more-section.tsx';
import { SweepFields } from '#web-ui/src/pages/evaluation/sections/variables/sweep-fields.tsx';
import { UserAgentsSection } from '#web-ui/src/pages/evaluation/sections/user-agents-section.tsx';
import { renderInEditor, textsOf } from '../support/render-in-page.ts';

/** What the field with that label holds, or what it shows while it is empty. */
function fieldOf(html: string, label: string): { value: string | undefined; placeholder: string | undefined } {
  const id = new RegExp(`<label[^>]* for="([^"]+)"[^>]*>${label}`).exec(html)![1];
  const [input] = new RegExp(`<input[^>]* id="${id}"[^>]*>`).exec(html)!;
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
  return { value: attribute('value'), placeholder: attribute('placeholder') };
}

test.for([
  [undefined, 'none of them'],
  [false, 'none of them'],
  [true, 'all: each has a group of its own'],
  [{ mode: 'reno' }, 'those with these values'],
] as const)('a sweep whose baseline is %j says that it is %s', ([baseline, words]) => {
  const scenario = { name: '{mode}', sweep: { mode: ['reno', 'cubic'] }, baseline };
  const html = renderInEditor(SweepFields, { path: ['scenarios', 0] }, { input: { scenarios: [scenario] } });
  expect(fieldOf(html, 'Baseline').value).toBe(words);
});

test('a sweep names its first six Scenarios, says how many more there are, and which variable nothing uses', () => {
  const browser = { extraHeaders: { A: '{a}' } };
  const scenario = { name: 's{a}', browser, sweep: { a: [1, 2, 3, 4, 5, 6, 7, 8], b: [1] }, baseline: { a: 2 } };
  const html = renderInEditor(SweepFields, { path: ['scenarios', 0] }, { input: { scenarios: [scenario] } });
  const text = textsOf(html).join(' ');
  expect(text).toContain('8 Scenarios : s1, s2 (baseline), s3, s4, s5, s6 and 2 more.');
  expect(text).toContain('No setting uses {b}. Write {b} in a field');
});

test('the rhythm of a User Agent shows what the page load says where it says nothing itself', () => {
  const render = (pageLoad: object, own: object = {}) =>
    renderInEditor(
      UserAgentsSection,
      {},
      {
        input: { pageLoad, userAgents: [{ name: 'User 1', startOffsetMs: 5, ...own }] },
      },
    );
  expect(fieldOf(render({ visitsPerUrl: 3 }), 'Visits of each URL').placeholder).toBe('3');
  expect(fieldOf(render({}), 'Visits of each URL').placeholder).toBe('1');
  expect(fieldOf(render({ visitsPerUrl: 3 }, { visitsPerUrl: 5 }), 'Visits of each URL').value).toBe('5');
});

test('a figure shows the names that it has, also one that is written without a list, and what is open', () => {
  const figures = [{ title: 'By size', series: 'scenario', panels: ['userAgent', 'mode'] }, {}];
  const html = renderInEditor(FigureFields, {}, { input: { figures } });
  const texts = textsOf(html);
  expect(texts).toEqual(expect.arrayContaining(['By size', 'Figure 2', 'scenario', 'userAgent', 'mode']));
  expect(html.match(/placeholder="by the design"/g)).toHaveLength(2 + 2);
});

test('a fold opens while something that it holds is wrong, so that the field says what', () => {
  const openOf = (input: object) =>
    [...renderInEditor(MoreSection, {}, { input }).matchAll(/<details([^>]*)>.*?<\/details>/gs)].flatMap(
      ([fold, attributes]) => (attributes!.includes('open') ? [textsOf(fold)[0]] : []),
    );
  expect(openOf({ pageLoad: { quietMs: 500 } })).toEqual([]);
  expect(openOf({ pageLoad: { quietMs: 'soon' }, capture: { snapBytes: -1 } })).toEqual([
    'Page load',
    'Capture and artefacts',
  ]);
  expect(openOf({ repetition: { attempts: 'many' } })).toEqual(['Page load']);
});

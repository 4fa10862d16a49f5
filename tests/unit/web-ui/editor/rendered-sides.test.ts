import { expect, test } from 'vitest';
import { isShorter, KeptDaysFields, readDays, typeDays } from '#web-ui/src/components/kept-days-fields.tsx';
import { PathPicture } from '#web-ui/src/pages/evaluation/sections/scenarios/path-picture.tsx';
import { BeforeRun } from '#web-ui/src/pages/evaluation/side/before-run.tsx';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { renderInEditor, renderInPage, textsOf } from '../support/render-in-page.ts';

const titlesOf = (input: object) =>
  [...renderInEditor(PathPicture, { index: 0 }, { input }).matchAll(/<title>(.*?)<\/title>/g)].map(
    ([, title]) => textsOf(title!)[0],
  );

test('the picture of the path names one host and one origin, and counts several', () => {
  const urls = (...hosts: string[]) => ({ pages: hosts.map((host) => ({ url: `https://${host}/` })) });
  const user = { host: 'laptop', engine: 'chrome', urlList: 'pages' };
  const scenarios = [{ name: 'Direct' }];
  const one = titlesOf({ urlLists: urls('a.test'), userAgents: [{ name: 'A', ...user }], scenarios });
  expect(one[0]).toBe('1 User Agent, chrome');
  expect(one[1]).toBe('laptop, host');
  expect(one.at(-1)).toBe('a.test, origin');
  const userAgents = [
    { name: 'A', ...user },
    { name: 'B', ...user, host: 'phone', engine: 'firefox' },
  ];
  const two = titlesOf({ urlLists: urls('a.test', 'b.test'), userAgents, scenarios });
  expect(two.slice(0, 2)).toEqual(['2 User Agents, chrome, firefox', '2 hosts, laptop, phone']);
  expect(two.at(-1)).toBe('2 origins, a.test, b.test');
});

test('an empty field of days keeps data for ever, and a wrong one is no answer', () => {
  expect(readDays({ snapshotDays: '', visitDays: '' })).toEqual({ snapshotDays: null, visitDays: null });
  expect(readDays({ snapshotDays: 7, visitDays: 30 })).toEqual({ snapshotDays: 7, visitDays: 30 });
  expect(readDays({ snapshotDays: -1, visitDays: '' })).toBeNull();
  expect(typeDays({ snapshotDays: null, visitDays: 30 })).toEqual({ snapshotDays: '', visitDays: 30 });
});

test('what deletes data is distinguished from what keeps more of them', () => {
  const before = { snapshotDays: 30, visitDays: null };
  expect(isShorter({ snapshotDays: 7, visitDays: null }, before)).toBe(true);
  expect(isShorter({ snapshotDays: 30, visitDays: 400 }, before)).toBe(true);
  expect(isShorter(before, before)).toBe(false);
  expect(isShorter({ snapshotDays: null, visitDays: null }, before)).toBe(false);
});

test('one day is singular', () => {
  const html = renderInPage(KeptDaysFields, { days: { snapshotDays: 1, visitDays: 2 }, onChange: () => undefined });
  expect(textsOf(html).filter((text) => /^days?$/.test(text))).toEqual(['day', 'days']);
});

test('before a Run, what is missing stands first', () => {
  const html = renderInEditor(BeforeRun, {}, { input: makeEvaluation() });
  const states = [...html.matchAll(/aria-label="(missing|limited|ready|without)"/g)].map(([, state]) => state!);
  const order = ['missing', 'limited', 'ready', 'without'];
  expect(states[0]).toBe('missing');
  expect(new Set(states).size).toBeGreaterThan(1);
  expect(states).toEqual(states.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
});

test('a draft with problems says how many there are to correct first', () => {
  const text = (input: object) => textsOf(renderInEditor(BeforeRun, {}, { input })).join(' ');
  expect(text({})).toMatch(/Correct the \d+ problems first/);
  expect(text({ ...makeEvaluation(), name: '' })).toContain('Correct the problem first');
});

import { describe, expect, test } from 'vitest';
import { orderPasses } from '#controller/coordinator/order-passes.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { listVisits } from '#core/evaluation/pages/list-visits.ts';
import { readSelectorPaths } from '#core/evaluation/journey/journey-step.ts';
import { readTypedText } from '#agent/engines/browser/journey/take-step.ts';

const selectors = [['aria/Go'], ['#go'], ['xpath///*[@id="go"]'], ['pierce/#go']];
const leadsTo = (url: string, title?: string) => ({
  assertedEvents: [{ type: 'navigation', url, ...(title !== undefined && { title }) }],
});
/** As Chrome’s Recorder exports it. */
const recording = {
  title: 'Log in',
  timeout: 3000,
  selectorAttribute: 'data-test',
  steps: [
    {
      type: 'setViewport',
      width: 1156,
      height: 986,
      deviceScaleFactor: 1,
      isMobile: false,
      hasTouch: false,
      isLandscape: false,
    },
    { type: 'navigate', url: 'http://{host}/a', ...leadsTo('http://recorded/a', 'Start') },
    { type: 'change', target: 'main', selectors, value: 'a {secret:SHOP}' },
    { type: 'keyDown', target: 'main', key: 'Enter', timeout: 7000, ...leadsTo('http://{host}/b') },
    { type: 'keyUp', target: 'main', key: 'Enter' },
    { type: 'customStep', name: 'mark', parameters: { name: 'done' } },
    { type: 'click', target: 'main', selectors, offsetX: 3, offsetY: 4.5, ...leadsTo('http://{host}/a') },
  ],
};
const evaluationOf = (entries: unknown[], { engine = 'chrome', ...rest }: Record<string, unknown> = {}) => ({
  name: 'Journeys',
  urlLists: { pages: entries },
  userAgents: [{ name: 'A', host: 'a', urlList: 'pages', engine }],
  scenarios: [
    { name: 'One', baseline: true, variables: { host: 'one' } },
    { name: 'Two', variables: { host: 'two' }, browser: { cache: 'warm' } },
  ],
  ...rest,
});

const problemsOf = (input: unknown) =>
  EvaluationSchema.safeParse(input).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('a journey in a URL list', () => {
  test('is a page for each of its navigations, the same in every Scenario, and is repeated as a whole', () => {
    const evaluation = EvaluationSchema.parse(
      evaluationOf(['http://{host}/plain', { journey: recording }], { pageLoad: { visitsPerUrl: 2 } }),
    );
    const [user] = evaluation.userAgents;
    const [one, two] = evaluation.scenarios.map((scenario) => listVisits(evaluation, user!, scenario));
    const journey = ['http://{host}/a#Log%20in-1', 'http://{host}/b#Log%20in-2', 'http://{host}/a#Log%20in-3'];
    const plain = 'http://{host}/plain';
    expect(one!.map(({ page }) => page)).toEqual([plain, plain, ...journey, ...journey]);
    expect(two!.map(({ page, repetition }) => `${page} ${repetition}`)).toEqual(
      [0, 1, 2]
        .map((repetition) => `${plain} ${repetition}`)
        .concat([0, 1, 2].flatMap((repetition) => journey.map((page) => `${page} ${repetition}`))),
    );
    expect(two!.slice(3, 6).map(({ url }) => url)).toEqual(['http://two/a', 'http://two/b', 'http://two/a']);
    expect(one![3]!.untilMark).toBe('done');
    const often = EvaluationSchema.parse(evaluationOf([{ journey: recording, visits: 2 }]));
    expect(listVisits(often, user!, often.scenarios[0]!).map(({ page, repetition }) => [page, repetition])).toEqual(
      [1, 2].flatMap((repetition) => journey.map((page) => [page, repetition])),
    );
  });

  test('has the steps of each Visit: those up to the navigation, and those on its page', () => {
    const evaluation = EvaluationSchema.parse(evaluationOf([{ journey: recording }]));
    const [pass] = orderPasses({ id: '1', runId: '1', seed: 1, block: 1, evaluation, scenario: 'Two' });
    const legs = pass!.order.visits.slice(3).map(({ leg }) => leg!);
    expect(
      legs.map(({ number, of, lead, steps }) => [
        number,
        of,
        lead.map((each) => each.number),
        steps.map((each) => each.number),
      ]),
    ).toEqual([
      [1, 3, [1, 2], [3]],
      [2, 3, [4], [5, 6]],
      [3, 3, [7], []],
    ]);
    expect(legs[0]!.lead[1]).toMatchObject({ timeoutMs: 3000, step: { url: 'http://two/a' } });
    expect(legs[1]!.lead[0]!.timeoutMs).toBe(7000);
  });

  test('stays the same when it is read again, as a Run freezes it', () => {
    const evaluation = EvaluationSchema.parse(evaluationOf([{ journey: recording, label: 'Shop' }]));
    expect(EvaluationSchema.parse(evaluation)).toEqual(evaluation);
  });

  const stepOf = (step: object) => [{ journey: { ...recording, steps: [...recording.steps.slice(0, 2), step] } }];
  test.for<[string, unknown[], Record<string, unknown>, RegExp]>([
    [
      'no steps',
      [{ journey: { title: 'x', steps: [] } }],
      {},
      /^urlLists\.pages\.0\.journey\.steps: must have at least one step/,
    ],
    [
      'another beginning',
      [{ journey: { ...recording, steps: recording.steps.slice(2) } }],
      {},
      /steps\.0: must be "navigate"/,
    ],
    [
      'a script',
      stepOf({ type: 'waitForExpression', expression: 'true' }),
      {},
      /steps\.2\S*: must be a step of a journey, with one of the types navigate, click/,
    ],
    [
      'another tab',
      stepOf({ type: 'click', target: 'https://popup.example', selectors }),
      {},
      /steps\.2\.target: must be "main"/,
    ],
    ['a frame', stepOf({ type: 'click', frame: [0], selectors }), {}, /steps\.2\.frame: must have at most 0/],
    ['a frame that is no list', stepOf({ type: 'click', frame: '', selectors }), {}, /steps\.2\.frame: must be a list/],
    [
      'aria alone',
      stepOf({ type: 'click', selectors: [['aria/Go']] }),
      {},
      /steps\.2\.selectors: finds its element by "aria\/" alone/,
    ],
    ['a long selector', stepOf({ type: 'click', selectors: ['#'.repeat(1001)] }), {}, /steps\.2\.selectors\.0: /],
    [
      'a long text',
      stepOf({ type: 'change', selectors, value: 'x'.repeat(2001) }),
      {},
      /steps\.2\.value: must have at most 2000/,
    ],
    [
      'an unknown key',
      stepOf({ type: 'keyDown', key: 'F13' }),
      {},
      /steps\.2\.key: must be one character, or one of Enter/,
    ],
    [
      'too many steps',
      [
        {
          journey: {
            ...recording,
            steps: [recording.steps[1], ...Array.from({ length: 200 }, () => ({ type: 'keyUp', key: 'a' }))],
          },
        },
      ],
      {},
      /must have at most 200 steps/,
    ],
    ['an address of a file', stepOf({ type: 'navigate', url: 'file:///etc/passwd' }), {}, /starts with "file:"/],
    [
      'one title twice',
      [{ journey: recording }, { journey: recording }],
      {},
      /1\.journey: the title "Log in" is used already/,
    ],
    [
      'a variable that is missing',
      stepOf({ type: 'navigate', url: 'http://{nowhere}/' }),
      {},
      /journey: no Scenario defines the variable \{nowhere\}/,
    ],
    ['a mark to wait for', [{ journey: recording, until: 'performance mark x' }], {}, /0\.until: is for pages/],
    [
      'the engine http',
      [{ journey: recording }],
      { engine: 'http' },
      /userAgents\.0\.engine: makes no journeys, .*choose chrome or firefox/,
    ],
    ['the extension', [{ journey: recording }], { engine: 'extension' }, /userAgents\.0\.engine: makes no journeys/],
  ])('is refused with %s', ([, entries, settings, message]) => {
    expect(problemsOf(evaluationOf(entries, settings)).join('\n')).toMatch(new RegExp(message.source, 'm'));
  });

  test('finds elements without the accessibility tree, by the other selectors of a recording', () => {
    expect(readSelectorPaths([['aria/Go'], '#go', ['#host', '#inner']])).toEqual([['#go'], ['#host', '#inner']]);
  });

  test('types secrets of the Agent’s environment, and no other variable of it', () => {
    const environment = { HTTP_AE_SECRET_SHOP: 's$&', PATH: '/bin' };
    expect(readTypedText('a {secret:SHOP} b {x}', environment)).toBe('a s$& b {x}');
    expect(readTypedText('{secret:PATH}', environment)).toBeNull();
  });
});

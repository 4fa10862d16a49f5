import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { listDimensions } from '#core/evaluation/figures/figure-choice.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

const pages = [{ url: 'http://origin.test/images/{1..3}', variables: { images: '{1}' } }];
const withFigures = (...figures: object[]) =>
  EvaluationSchema.safeParse({ ...makeEvaluation(), urlLists: { pages }, figures });
const faultOf = (figure: object) => {
  const [issue] = withFigures(figure).error?.issues ?? [];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
};

test('an Evaluation declares the figures of its report, each field with a default', () => {
  const { figures } = withFigures(
    {},
    { y: 'wirePackets', x: 'images', series: 'scenario', only: { images: [1, 3] } },
  ).data!;
  expect(figures).toEqual([
    { kind: 'line', statistic: 'mean', logY: false },
    {
      kind: 'line',
      statistic: 'mean',
      logY: false,
      y: 'wirePackets',
      x: 'images',
      series: ['scenario'],
      only: { images: [1, 3] },
    },
  ]);
  expect(makeEvaluation().figures).toEqual([]);
});

test.for([
  [{ y: 'speed' }, /^figures\.0\.y: must be one of "requestStartMs"/],
  [{ x: 'imgs' }, /^figures\.0\.x: there is no variable "imgs": write one of "images", "page", "scenario"/],
  [{ x: 'receivedBytes' }, /^figures\.0\.x: is a metric, which only a scatter has/],
  [
    { kind: 'scatter', x: 'page' },
    /^figures\.0\.x: must be a metric or a variable with numbers: write one of "images"/,
  ],
  [{ kind: 'distribution', x: 'images' }, /^figures\.0\.x: cannot be set/],
  [{ series: ['mode'] }, /^figures\.0\.series: there is no variable "mode"/],
  [{ x: 'images', panels: 'images' }, /^figures\.0\.panels: "images" is "x" already/],
  [{ series: 'page', panels: 'page' }, /^figures\.0\.panels: "page" is in "series" already/],
  [{ series: ['page', 'page'] }, /^figures\.0\.series: must not have a name twice/],
  [{ series: ['page', 'scenario', 'group', 'images'] }, /^figures\.0\.series: must have at most 3 names/],
  [{ only: { images: [7] } }, /^figures\.0\.only\.images: 7 is no value of "images": write one of 1, 2, 3/],
  [{ only: { rate: [7] } }, /^figures\.0\.only\.rate: there is no variable "rate"/],
  [{ x: 'scenario', logX: true }, /^figures\.0\.logX: cannot be true: "scenario" has no numbers/],
  [{ statistic: 'reduction', logY: true }, /^figures\.0\.logY: cannot be true of a reduction/],
  [{ statistic: 'reduction', kind: 'scatter' }, /^figures\.0\.statistic: cannot be "reduction" in a scatter/],
  [{ statistic: 'max', kind: 'distribution' }, /^figures\.0\.statistic: cannot be set/],
] as const)('of a figure, %o is refused at its field', ([figure, fault]) => {
  expect(faultOf(figure)).toMatch(fault);
});

test('more than 30 figures are refused', () => {
  expect(withFigures(...Array.from({ length: 31 }, () => ({}))).error?.issues[0]).toMatchObject({
    path: ['figures'],
    message: 'must have at most 30 figures',
  });
});

test('a figure can be arranged by pages, Scenarios, groups, User Agents, their classes, and variables', () => {
  const dimensions = listDimensions({
    pages: [
      { page: 'b', variables: { images: 10, depth: 1 } },
      { page: 'a', variables: { images: 9 } },
      { page: 'b', variables: { images: 10 } },
    ],
    scenarios: [
      { name: 'direct', group: 'far', variables: { rate: 'slow', depth: 7 } },
      { name: 'proxy', group: 'near', variables: { rate: 2 } },
      { name: 'other', group: 'far' },
      { name: 'alone', group: null },
    ],
    userAgents: [{ name: 'zoe', userClass: 'gold' }, { name: 'alice', userClass: 'gold' }, { name: 'bob' }],
  });
  expect(Object.fromEntries(dimensions)).toEqual({
    page: ['b', 'a'],
    scenario: ['direct', 'proxy', 'other', 'alone'],
    group: ['far', 'near'],
    userAgent: ['zoe', 'alice', 'bob'],
    userClass: ['gold'],
    rate: ['slow', 2],
    images: [9, 10],
    // That of the pages.
    depth: [1],
  });
});

test('a given dimension wins over a variable of its name', () => {
  const dimensions = listDimensions({
    pages: [{ page: 'a', variables: { scenario: 1 } }],
    scenarios: [{ name: 'direct', variables: { page: 2 } }],
    userAgents: [],
  });
  expect(dimensions.get('scenario')).toEqual(['direct']);
  expect(dimensions.get('page')).toEqual(['a']);
  expect(dimensions.get('userAgent')).toEqual([]);
});

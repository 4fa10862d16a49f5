import { describe, expect, it } from 'vitest';
import { joinParts, type MeasuredPart } from '#core/study/join-parts.ts';
import { isOfLoad, StudySchema } from '#core/study/study-definition.ts';
import { arrangeFigure } from '#web-ui/src/figures/arrange-figure.ts';
import { completeChoice } from '#web-ui/src/figures/complete-choice.ts';
import { evaluationOf, makeMeasurements } from '#tests/support/make-measurements.ts';

/** Pages of 1 and 30 images, each Block 10 ms later than the one before. The proxy takes half of the time, and squid is in one part only. */
function measurePart(name: string, rateKbps: number, scenarios = ['direct', 'proxy']) {
  const evaluation = evaluationOf({ pages: [{ images: 1 }, { images: 30 }], scenarios });
  const measurements = makeMeasurements(evaluation, {
    blocks: 3,
    measures: ['totalMs', 'wirePackets'],
    valuesOf: ({ block, scenario, url }) => {
      const images = url.endsWith('0') ? 1 : 30;
      return [((1000 * images + 10 * block) / (scenario === 'proxy' ? 2 : 1) / rateKbps) * 256, images];
    },
  });
  return { name, values: { rateKbps, arm: 'as in the papers' }, measurements };
}

const parts: MeasuredPart[] = [measurePart('256k', 256, ['direct', 'squid', 'proxy']), measurePart('1m', 1024)];

function join(given: object, measured = parts) {
  const [figure] = StudySchema.shape.figures.parse([
    { title: 'Over capacity', metric: 'totalMs', over: 'rateKbps', overLabel: 'Capacity, kb/s', ...given },
  ]);
  if (figure === undefined || isOfLoad(figure)) throw new Error('It has no parts to join');
  return joinParts(figure, measured);
}

function draw(given: object, measured = parts) {
  const joined = join(given, measured);
  if (joined === null) return null;
  const { panels } = arrangeFigure(joined.measurements, completeChoice(joined.measurements.design, joined.choice));
  return panels[0]!.series.map(({ values, points }) => ({
    values,
    points: points.map(({ x, y, low, count }) => ({
      x,
      y: Math.round(y * 1000) / 1000,
      hasInterval: low !== null,
      count,
    })),
  }));
}

describe('a figure over the parts of a study', () => {
  it('has a point for each part, of its own Rounds', () => {
    expect(draw({ where: { images: 30 }, scenarios: ['direct', 'proxy'] })).toEqual([
      {
        values: ['direct'],
        points: [
          { x: 256, y: 30_020, hasInterval: true, count: 3 },
          { x: 1024, y: 7505, hasInterval: true, count: 3 },
        ],
      },
      {
        values: ['proxy'],
        points: [
          { x: 256, y: 15_010, hasInterval: true, count: 3 },
          { x: 1024, y: 3752.5, hasInterval: true, count: 3 },
        ],
      },
    ]);
  });

  it('says how many Rounds have a value under the Scenarios that it shows, by part', () => {
    const [slow, fast] = parts;
    const { values, visits } = slow!.measurements;
    // Of the proxy, a Round has no value of its page of 30 images.
    const lost = visits.block.findIndex((_, index) => visits.scenario[index] === 2 && visits.page[index] === 1);
    const totalMs = values.totalMs!.map((value, index) => (index === lost ? null : value));
    const failing = { ...slow!, measurements: { ...slow!.measurements, values: { ...values, totalMs } } };
    const roundsOf = (given: object) => join({ where: { images: 30 }, ...given }, [failing, fast!])!.rounds;
    expect(roundsOf({ scenarios: ['direct', 'proxy'] })).toEqual([
      { part: '256k', least: 2, most: 3 },
      { part: '1m', least: 3, most: 3 },
    ]);
    expect(roundsOf({ scenarios: ['squid'] })).toEqual([{ part: '256k', least: 3, most: 3 }]);
    expect(roundsOf({ scenarios: ['proxy'], where: { images: 1 } })).toMatchObject([{ least: 3 }, { least: 3 }]);
  });

  it('keeps the pages of each part apart, however many parts there are', () => {
    const three = [...parts, measurePart('4m', 4096)];
    const [direct] = draw({ where: { images: 30 }, scenarios: ['direct'] }, three)!;
    expect(direct!.points.map(({ x, y, count }) => [x, y, count])).toEqual([
      [256, 30_020, 3],
      [1024, 7505, 3],
      [4096, 1876.25, 3],
    ]);
  });

  it('draws reductions against any Scenario, page by page and Block by Block', () => {
    const of = (against: string) => draw({ scenarios: ['proxy'], against })!.flatMap(({ points }) => points);
    expect(of('direct').map(({ x, y }) => [x, y])).toEqual([
      [256, 0.5],
      [1024, 0.5],
    ]);
    // Only the first part has it.
    expect(of('squid').map(({ x, y }) => [x, y])).toEqual([[256, 0.5]]);
  });

  it('draws no reduction of Scenarios of which one loses objects that the other has, in the part in which it does', () => {
    const [slow, fast] = parts;
    const losing = { ...slow!, isComparable: (scenario: string, against: string) => scenario === against };
    const reductions = draw({ scenarios: ['proxy'], against: 'direct' }, [losing, fast!])!;
    expect(reductions.flatMap(({ points }) => points.map(({ x }) => x))).toEqual([1024]);
    const means = draw({ scenarios: ['proxy'], where: { images: 30 } }, [losing, fast!])!;
    expect(means.flatMap(({ points }) => points.map(({ x }) => x))).toEqual([256, 1024]);
  });

  it('has a line for each value of a part or a page where the figure asks for that', () => {
    const drawn = draw({
      over: 'images',
      overLabel: 'Images',
      scenarios: ['direct'],
      series: ['scenario', 'rateKbps'],
    });
    expect(drawn!.map(({ values, points }) => [...values, ...points.map(({ x, y }) => `${x}: ${y}`)])).toEqual([
      ['direct', 256, '1: 1020', '30: 30020'],
      ['direct', 1024, '1: 255', '30: 7505'],
    ]);
  });

  it('takes what the packets give by the name that studies have for it', () => {
    expect(draw({ metric: 'packets', where: { images: 30 }, scenarios: ['proxy'] })![0]!.points[0]!.y).toBe(30);
  });

  it('has what crossed a Capture Point, the mean of the Visits of a page in a Round', () => {
    const at = { metric: 'bytes', at: 'link', where: { images: 30 }, scenarios: ['direct'] };
    const [design] = parts.map(({ measurements }) => measurements.design);
    const visits = [1, 2, 3].flatMap((block) =>
      [100, 300].map((bytes) => ({
        ...{ block, scenario: 'direct', userAgent: design!.userAgents[0]!.name },
        ...{ page: design!.pages.find(({ variables }) => variables.images === 30)!.page, bytesAt: { link: bytes } },
      })),
    );
    const [slow, fast] = parts;
    expect(draw(at, [{ ...slow!, visits }, fast!])).toEqual([
      { values: ['direct'], points: [{ x: 256, y: 200, hasInterval: true, count: 3 }] },
    ]);
    expect(draw(at)).toBeNull();
  });

  it('is not drawn of parts that were not measured, or do not have its values', () => {
    expect(draw({ scenarios: ['direct'] }, [])).toBeNull();
    expect(draw({ scenarios: ['direct'], metric: 'bytes' })).toBeNull();
    expect(draw({ scenarios: ['direct'], over: 'delayMs' })).toBeNull();
    expect(draw({ scenarios: ['direct'], where: { images: 7 } })).toBeNull();
    expect(draw({ scenarios: ['direct'], parts: ['1m'], where: { images: 1 } })![0]!.points).toHaveLength(1);
  });
});

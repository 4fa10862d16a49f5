import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { planParts } from '#cli/study/plan-parts.ts';
import { readStudies, studiesFolder } from '#controller/studies/read-studies.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { isWanted, type Where } from '#core/study/quantity.ts';
import { valuesOf } from '#core/study/fill-values.ts';
import { isOfLoad, type Check } from '#core/study/study-definition.ts';

const studies = await readStudies(studiesFolder);

test('there are studies', () => {
  expect(studies.length).toBeGreaterThan(0);
});

describe.each(studies)('the study $name', (study) => {
  test.each([false, true])(
    'each of its parts is an Evaluation that has what its expectations and closed forms name; quick: %s',
    async (isQuick) => {
      for (const { name, evaluation } of await planParts(study, study.parts, { isQuick })) {
        const checks = [...study.expectations, ...study.closedForms].flatMap((stated) => stated.checks);
        const own = checks.filter(({ parts }) => parts?.includes(name) ?? true);
        expect(own.flatMap((check) => findUnknown(check, evaluation)).map((what) => `${name}: ${what}`)).toEqual([]);
      }
    },
  );

  test('its parts together take at most an hour, and each is quicker with --quick', () => {
    expect(study.parts.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(60);
    for (const { minutes, quickMinutes } of study.parts) expect(quickMinutes).toBeLessThan(minutes);
  });

  test('its figures have lines and an x axis of its parts', async () => {
    const planned = await planParts(study, study.parts, { isQuick: false });
    for (const figure of study.figures) {
      if (isOfLoad(figure)) {
        const { evaluation } = planned.find(({ name }) => name === figure.part)!;
        expect(evaluation.scenarios.map(({ name }) => name)).toContain(figure.scenario);
        expect(listVariables(evaluation).filter((page) => hasAll(page, figure.where))).not.toEqual([]);
        continue;
      }
      const parts = planned.filter(({ name }) => figure.parts?.includes(name) ?? true);
      const scenarios = parts.flatMap(({ evaluation }) => evaluation.scenarios.map(({ name }) => name));
      const named = [...figure.scenarios, ...(figure.against ? [figure.against] : [])];
      expect(named.filter((name) => !scenarios.includes(name))).toEqual([]);
      for (const { evaluation } of figure.at === undefined ? [] : parts)
        expect(evaluation.capturePoints.map(({ name }) => name)).toContain(figure.at);
      expect(figure.scenarios).toEqual(expect.arrayContaining(figure.paper.map(({ scenario }) => scenario)));
      const values = parts.flatMap(({ name, evaluation }) => {
        const own = valuesOf(
          study,
          study.parts.find((part) => part.name === name)!,
          { isQuick: false },
        )[figure.over];
        return typeof own === 'number' ? [own] : listVariables(evaluation).map((page) => page[figure.over]);
      });
      expect(new Set(values.filter((value) => value !== undefined)).size).toBeGreaterThan(1);
    }
  });
});

test('each has a picture', () => {
  const missing = studies.filter(({ folder }) => !existsSync(path.join(folder, 'picture.svg')));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('no two parts have Evaluations of one name, by which bundles are known', async () => {
  const planned = await Promise.all(studies.map((study) => planParts(study, study.parts, { isQuick: false })));
  const names = planned.flat().map(({ evaluation }) => evaluation.name);
  expect(new Set(names).size).toBe(names.length);
});

function listVariables(evaluation: Evaluation) {
  return evaluation.userAgents.flatMap(({ urlList }) => urlsOf(evaluation, urlList)).map((page) => page.variables);
}

function hasAll(page: Readonly<Record<string, number>>, where: Where): boolean {
  return Object.entries(where).every(([name, wanted]) => isWanted(page[name], wanted));
}

/** What a check names that its Evaluation does not have. */
function findUnknown({ quantity }: Check, evaluation: Evaluation): string[] {
  const scenarios = new Set(evaluation.scenarios.map(({ name }) => name));
  const variables = listVariables(evaluation);
  const named = [
    quantity.scenario,
    ...('against' in quantity && quantity.against !== undefined ? [quantity.against] : []),
  ];
  const users = evaluation.userAgents.map(({ name }) => name);
  const where = 'where' in quantity ? Object.entries(quantity.where) : [];
  const isThere = (wanted: (typeof where)[number][1]) => (value: number | undefined) => isWanted(value, wanted);
  const points = evaluation.capturePoints.map(({ name }) => name);
  return [
    ...named.filter((name) => !scenarios.has(name)).map((name) => `Scenario ${name}`),
    ...('userAgent' in quantity ? [quantity.userAgent, ...(('among' in quantity && quantity.among) || [])] : [])
      .filter((name) => !users.includes(name))
      .map((name) => `User Agent ${name}`),
    ...('point' in quantity && !points.includes(quantity.point) ? [`Capture Point ${quantity.point}`] : []),
    ...('at' in quantity && quantity.at !== undefined && !points.includes(quantity.at)
      ? [`Capture Point ${quantity.at}`]
      : []),
    ...where
      .filter(([name, wanted]) => !variables.map((own) => own[name]).some(isThere(wanted)))
      .map(([name]) => `a page with ${name}`),
    ...('on' in quantity && new Set(variables.map((own) => own[quantity.on])).size < 2
      ? [`pages of ${quantity.on}`]
      : []),
  ];
}

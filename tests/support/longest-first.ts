import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, of all kinds. A fresh clone has no times of an earlier run, by which vitest would sort. */
export const longest = [
  'tests/browser/conformance.test.ts',
  'tests/browser/leftovers.test.ts',
  'tests/browser/conformance-failures.test.ts',
  'tests/browser/composed-pages.test.ts',
  'tests/browser/firefox-settings.test.ts',
  'tests/browser/crash.test.ts',
  'tests/browser/viewport-classes.test.ts',
  'tests/browser/phases.test.ts',
  'tests/browser/extension-endurance.test.ts',
  'tests/db/controllers/several-controllers.test.ts',
  'tests/db/controllers/owner-gone.test.ts',
  'tests/unit/agent/broken-line.test.ts',
];

/** Starts the longest files first, so that none of them runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return rank === -1 ? longest.length : rank;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

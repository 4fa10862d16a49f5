import { expect, test } from 'vitest';
import { fuzzMinutes, fuzzSeed, savesCorpus } from './fuzz-settings.ts';
import { readCorpus, saveCorpus, saveFailure } from './corpus.ts';
import { targetNames, type TargetName } from './fuzz-target.ts';
import { runTarget } from './run-target.ts';
import { targetSources } from '../targets/target-sources.ts';

/** None in quick runs: they run the recorded inputs, and one batch that the seed decides. */
const durationMs = ((fuzzMinutes ?? 0) * 60_000) / targetNames.length;

/** A test of each of these targets. */
export function fuzzTargets(names: readonly TargetName[]): void {
  test.for(names)('no input of %s breaks a promise, takes too long or takes too much memory', fuzz);
}

async function fuzz(name: TargetName): Promise<void> {
  const { failures, figures, elapsedMs } = await runTarget({
    module: new URL(`../targets/${name}.ts`, import.meta.url).href,
    sources: targetSources[name],
    seed: fuzzSeed,
    durationMs,
    leastBatches: 1,
    corpus: readCorpus(name),
    wantsCorpus: savesCorpus,
  });
  if (figures !== null) {
    const { executions, keptCount, wordCount, reachedRatio, corpus } = figures;
    const perSecond = Math.round(executions / (elapsedMs / 1000));
    console.log(
      `${name}: ${executions} inputs, ${perSecond} per second, ${(100 * reachedRatio).toFixed(1)} % of the code reached, ${wordCount} outcomes, by ${keptCount} inputs; seed ${fuzzSeed}`,
    );
    if (savesCorpus) saveCorpus(name, corpus);
  }
  const reports = failures.map(
    (failure) => `seed ${fuzzSeed}, smallest input in ${saveFailure(name, failure)}\n${failure.problem}`,
  );
  expect(reports.join('\n\n')).toBe('');
}

import { addCoverage, includesCoverage, type Coverage, type CoverageMeter } from './coverage-meter.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { minimiseValue } from './minimise-value.ts';
import type { Json } from './mutate-value.ts';

/** As JSON. */
const maximumInputCharacters = 4_096;
const mostInputs = 80;
const triesPerInput = 40;

/** A few small inputs that together reach what all of them reach, but for what only large ones do. */
export async function chooseCorpus(
  target: FuzzTarget<Json>,
  meter: CoverageMeter,
  { inputs, onInput }: { inputs: Json[]; onInput: (input: Json) => void },
): Promise<Json[]> {
  const sizes = inputs
    .map((input) => ({ input, size: JSON.stringify(input).length }))
    .filter(({ size }) => size <= maximumInputCharacters);
  const reached: Coverage = new Map();
  const words = new Set<string>();
  const chosen: Json[] = [];
  const run = async (input: Json) => {
    await meter.take();
    onInput(input);
    const said = await target.run(input);
    return { said, coverage: await meter.take() };
  };
  for (const { input } of sizes.toSorted((a, b) => a.size - b.size)) {
    if (chosen.length === mostInputs) break;
    const { said, coverage } = await run(input);
    const fresh = addCoverage(reached, coverage);
    const newWords = said.filter((word) => !words.has(word));
    for (const word of newWords) words.add(word);
    if (fresh === null && newWords.length === 0) continue;
    const isAsGood = async (smaller: Json) => {
      if (!target.schema.safeParse(smaller).success) return false;
      const again = await run(smaller);
      return (
        newWords.every((word) => again.said.includes(word)) &&
        (fresh === null || includesCoverage(again.coverage, fresh))
      );
    };
    chosen.push(
      await minimiseValue(
        input,
        async (smaller) => {
          try {
            return await isAsGood(smaller);
          } catch {
            return false; // A fault, which is none of those that have been found: it is found as an input of its own.
          }
        },
        { maximumTries: triesPerInput },
      ),
    );
  }
  return chosen;
}

/**
 * One value per Block from those of several pages (a page of one User Agent, each counting alike), by index of the Block; NaN marks what is missing. Where all are there it is their mean. A
 * page that is missing in a Block counts there with its own mean over the other Blocks, moved by as much as the pages that are there differ from their own
 * means: otherwise a Block in which the slowest page failed would look fast. NaN for a Block that has no page.
 */
export function averagePages(pages: readonly Float64Array[]): Float64Array {
  const present = pages.flatMap((values) => {
    const mean = meanOfPresent(values);
    return mean === null ? [] : [{ values, mean }];
  });
  const averages = new Float64Array(pages[0]?.length ?? 0).fill(NaN);
  const grandMean = present.reduce((sum, { mean }) => sum + mean, 0) / present.length;
  for (let block = 0; block < averages.length; block++) {
    let [deviation, count] = [0, 0];
    for (const { values, mean } of present) {
      const value = values[block]!;
      if (Number.isNaN(value)) continue;
      deviation += value - mean;
      count++;
    }
    if (count > 0) averages[block] = grandMean + deviation / count;
  }
  return averages;
}

function meanOfPresent(values: Float64Array): number | null {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? null : sum / count;
}

/** The values that are there, in the order of the Blocks. */
export function presentValues(byBlock: Float64Array): number[] {
  return [...byBlock].filter((value) => !Number.isNaN(value));
}

/** What a caption says of the Run that a figure is drawn from. */
export interface CaptionFacts {
  evaluationName: string;
  runId: string;
  seed: number;
  /** Whether the seed drew the order of Scenarios; null while it is not known. */
  isRandomOrder: boolean | null;
  roundsCounted: number;
  visits: number;
  confidence: number;
  /** At which intervals are computed so that they hold the confidence. */
  intervalConfidence: number;
  /** Of HTTP-AE; null while it is not known. */
  version: string | null;
}

/** The caption of a figure for a paper: what it shows, n, the method, the seed, and with what it was measured. */
export function writeCaption(title: string, facts: CaptionFacts): string {
  const { evaluationName, runId, seed, isRandomOrder, roundsCounted, visits, confidence, intervalConfidence, version } =
    facts;
  const percent = (ratio: number) => `${Number((100 * ratio).toFixed(3))} %`;
  const level =
    intervalConfidence > confidence
      ? `${percent(confidence)} t intervals, computed at ${percent(intervalConfidence)} because the Run was looked at before its end`
      : `${percent(confidence)} t intervals`;
  return [
    `${title}.`,
    `n = ${roundsCounted} Rounds with ${visits} Visits, of Run ${runId} of “${evaluationName}”.`,
    `Intervals are ${level}, over Rounds. Differences are paired by Block.`,
    isRandomOrder ? `The order of Scenarios is random, with seed ${seed}.` : `Seed ${seed}.`,
    `Measured with HTTP-AE${version === null ? '' : ` ${version}`}.`,
  ].join(' ');
}

/** HTTP-AE as BibTeX, as in CITATION.cff. */
export function writeCitation(version: string | null): string {
  const fields = ['author = {{The HTTP-AE maintainers}}', 'title = {HTTP-AE}'];
  if (version !== null) fields.push(`version = {${version}}`);
  return `@software{http-ae, ${fields.join(', ')}}`;
}

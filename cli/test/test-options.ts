export interface TestOptions {
  json?: true;
  minutes?: number;
  /** Minutes after which no further test begins. */
  within?: number;
  seed?: number;
  saveCorpus?: true;
  watch?: true;
  verbose?: true;
}

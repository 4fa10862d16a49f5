export interface TestOptions {
  json?: true;
  minutes?: number;
  seed?: number;
  saveCorpus?: true;
  watch?: true;
  verbose?: true;
}

import { inlineFiles } from '../evaluate/inline-files.ts';
import { readRateTrace } from './read-rate-trace.ts';

/** Puts the steps of each file that a `rateTrace: { file: PATH }` of a YAML text names in its place. */
export function inlineRateTraces(yaml: string, yamlFile: string): Promise<string> {
  return inlineFiles(yaml, yamlFile, {
    key: 'rateTrace',
    content: 'steps',
    read: async (file) => ({ steps: await readRateTrace(file) }),
  });
}

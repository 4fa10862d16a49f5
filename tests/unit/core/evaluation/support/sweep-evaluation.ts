import { stringify } from 'yaml';
import { EvaluationInputSchema } from '#core/evaluation/evaluation-document.ts';
import { formatPath } from '#core/input/describe-issues.ts';
import { parseYaml } from '#core/input/parse-yaml.ts';

/** An Evaluation without Scenarios. */
export const base = {
  name: 'Capacity',
  urlLists: { pages: ['http://origin.test/images/{5,10}'] },
  userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
};
/** A Scenario with a sweep. */
export const template = {
  name: '{mode} at {rateKbps} kb/s',
  group: '{rateKbps} kb/s',
  sweep: { rateKbps: [256, 500], mode: ['direct', 'one connection'] },
  baseline: { mode: 'direct' },
  network: {
    link: { forward: { rateKbps: '{rateKbps}', delayMs: 300 }, return: { rateKbps: '{rateKbps}', delayMs: 300 } },
  },
};

/** The issues of an Evaluation with these Scenarios, as `line path: message`. */
export function issuesOf(scenarios: unknown[], change: object = {}): string[] {
  const parsed = parseYaml(stringify({ ...base, ...change, scenarios }), EvaluationInputSchema);
  return parsed.kind === 'valid'
    ? []
    : parsed.issues.map(({ line, path, message }) => `${line} ${formatPath(path)}: ${message}`);
}

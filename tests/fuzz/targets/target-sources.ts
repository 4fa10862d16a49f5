import type { TargetName } from '../support/fuzz-target.ts';

/** The folders and files whose code each target is to reach, from the root of the project. */
export const targetSources: Record<TargetName, readonly string[]> = {
  messages: ['core/protocol'],
  evaluations: ['core/evaluation', 'core/input', 'web-ui/src/pages/evaluation/editor/write-evaluation.ts'],
  patterns: ['core/evaluation/pages/url-pattern.ts', 'core/evaluation/pages/url-list.ts'],
  bundles: ['cli/report', 'core/comparison', 'core/record', 'core/stop-rule', 'core/statistics'],
  archives: ['core/har', 'core/metrics', 'controller/visits/build-har.ts', 'web-ui/src/waterfall'],
  columns: ['core/columns'],
  'http-heads': ['core/http1', 'httpep/exchange/heads.ts'],
  'page-objects': ['core/page-objects'],
  traces: ['core/packets'],
  sites: ['site', 'core/site/find-site-fault.ts', 'core/har/parse-har.ts'],
};

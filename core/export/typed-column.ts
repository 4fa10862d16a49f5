import type { MetricUnit } from '../metrics/metric-definition.ts';

/** What a column of an exported table holds, for formats that have types. Any value may be missing. */
export interface TypedColumn {
  name: string;
  /** `time`: ISO 8601. */
  type: 'integer' | 'number' | 'text' | 'boolean' | 'time';
  unit?: MetricUnit | 'ratio';
  definition?: string;
}

import { Option } from 'commander';
import { latencyOrigins } from '#core/metrics/latency-origin.ts';

/** From when latencies count. */
export function fromOption(): Option {
  return new Option(
    '--from <MOMENT>',
    'count latencies from navigation-start (the default) or from first-request, which leaves out name resolution, connection and TLS',
  ).choices([...latencyOrigins]);
}

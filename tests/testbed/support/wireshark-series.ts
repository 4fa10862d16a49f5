import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The series of Wireshark whose every figure was held against ours; docs/metrics.md lists where the two differ. */
const verifiedSeries = ['4.0'];

/** Of the tshark that is there, such as `4.0`. */
export async function readWiresharkSeries(): Promise<string> {
  const { stdout } = await promisify(execFile)('tshark', ['--version']);
  const series = /^TShark \(Wireshark\) (\d+\.\d+)/m.exec(stdout)?.[1];
  if (series === undefined) throw new Error(`tshark does not report its version: ${stdout.split('\n')[0]!}`);
  return series;
}

/** Whether every figure of this series must be ours. Another one may judge doubtful segments otherwise, and print other digits. */
export function isVerified(series: string): boolean {
  return verifiedSeries.includes(series);
}

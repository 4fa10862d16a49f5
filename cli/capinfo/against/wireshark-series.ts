import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The series of Wireshark whose every figure was held against ours; docs/metrics.md lists where the two differ. */
const verifiedSeries = ['4.0'];

/** Of the program that is there, such as `4.0`; null where it is not. */
export async function readSeriesOf(program: 'capinfos' | 'tshark'): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version']);
    const series = /^(?:TShark|Capinfos) \(Wireshark\) (\d+\.\d+)/im.exec(stdout)?.[1];
    if (series === undefined) throw new Error(`${program} does not report its version: ${stdout.split('\n')[0]!}`);
    return series;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Whether every figure of this series must be ours. Another one may judge doubtful segments otherwise, and print other digits. */
export function isVerified(series: string): boolean {
  return verifiedSeries.includes(series);
}

/** Whether a figure is that of capinfos: to the last digit that a verified series prints, else as a number, to one of the last digit that both print. */
export function isSameFigure(one: string, other: string, series: string): boolean {
  if (one === other) return true;
  if (isVerified(series)) return false;
  const digits = Math.min(...[one, other].map((text) => (text.split('.')[1] ?? '').length));
  return Math.abs(Number(one) - Number(other)) <= 10 ** -digits;
}

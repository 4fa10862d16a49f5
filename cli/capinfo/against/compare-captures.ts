import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { exitStatus } from '../../report-error.ts';
import { showPlainly } from '../../plain-text.ts';
import { measureFile } from '../measure-file.ts';
import { capinfosFigures, formatAsCapinfos, readCapinfos } from './read-capinfos.ts';
import { nothingFound, pickTsharkTcp, readTshark, tsharkFigures, type TsharkTcp } from './read-tshark.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Longer, and tshark gives no answer: a trace of some gigabytes takes it so long. */
const tsharkTimeoutMs = 1_800_000;

/** What others say of a trace; null where they cannot read it. */
export interface OtherPrograms {
  /** Of Wireshark, of which they are parts. */
  series: string;
  readFigures(file: string): Promise<string[] | null>;
  /** Null where tshark is not there. */
  readCounts: ((file: string) => Promise<WholeCounts | null>) | null;
}

/** Of all packets of a trace. */
export interface WholeCounts {
  tcp: TsharkTcp;
  udp: { packets: number; flows: number };
}

interface Difference {
  program: 'capinfos' | 'tshark';
  figure: string;
  here: string;
  there: string;
}

interface Compared {
  file: string;
  /** Which of them read it: the figures of capinfos are compared where both did. */
  readBy: 'both' | 'here' | 'capinfos' | 'neither';
  /** Whether tshark's counts were compared too. */
  isCounted: boolean;
  differences: Difference[];
  /** Why it could not be read here. */
  problem?: string;
}

/** Compares traces, and all files in folders, with what capinfos and tshark say. The exit status is that of a failure where a figure of capinfos differs. */
export async function runComparison(paths: string[], { json }: { json?: true }): Promise<void> {
  const programs = await findPrograms();
  if (programs.readCounts === null)
    process.stderr.write('tshark is not installed: only the figures of capinfos are compared\n');
  const compared: Compared[] = [];
  for await (const file of listFiles(paths)) {
    const each = await compareFile(file, programs);
    compared.push(each);
    if (!json) for (const line of describeFile(each)) process.stdout.write(`${line}\n`);
  }
  if (compared.length === 0)
    throw new AppError('invalid-input', `There is no file in ${paths.map(showPlainly).join(', ')}`);
  process.stdout.write(json ? `${JSON.stringify(compared)}\n` : `${summarise(compared, programs).join('\n')}\n`);
  if (compared.some(({ differences }) => differences.some(({ program }) => program === 'capinfos')))
    process.exitCode = exitStatus.failed;
}

async function findPrograms(): Promise<OtherPrograms> {
  const series = await readSeriesOf('capinfos');
  if (series === null)
    throw new AppError(
      'invalid-input',
      'capinfos is not installed: install the programs of Wireshark (Debian, Ubuntu: sudo apt-get install tshark)',
    );
  const hasTshark = (await readSeriesOf('tshark')) !== null;
  return {
    series,
    async readFigures(file) {
      return (await readCapinfos([file])).get(file) ?? null;
    },
    readCounts: hasTshark ? readWholeCounts : null,
  };
}

async function readWholeCounts(file: string): Promise<WholeCounts | null> {
  try {
    const { tcp, udp } = await readTshark(file, { timeoutMs: tsharkTimeoutMs });
    return { tcp: [...tcp.values()][0] ?? nothingFound, udp };
  } catch {
    return null;
  }
}

/** Files in the order of their names, those of a folder with all below it. Links in folders are not followed. */
async function* listFiles(paths: string[]): AsyncGenerator<string> {
  for (const each of paths) {
    const found = await stat(each).catch(() => null);
    if (found === null) throw new AppError('invalid-input', `${each} cannot be read: name a trace or a folder of them`);
    // A whole path never looks like an option.
    if (!found.isDirectory()) yield path.resolve(each);
    else {
      const entries = (await readdir(each, { withFileTypes: true }))
        .filter((entry) => entry.isFile() || entry.isDirectory())
        .map(({ name }) => path.join(each, name));
      yield* listFiles(entries.toSorted());
    }
  }
}

/** One file, here and there. */
export async function compareFile(file: string, programs: OtherPrograms): Promise<Compared> {
  const theirs = await programs.readFigures(file);
  let ours: CaptureStatistics;
  try {
    ours = await measureFile(file, []);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const readBy = theirs === null ? 'neither' : 'capinfos';
    return { file, readBy, isCounted: false, differences: [], problem: error.message };
  }
  if (theirs === null) return { file, readBy: 'here', isCounted: false, differences: [] };
  const counts = ours.tcp === null ? null : ((await programs.readCounts?.(file)) ?? null);
  const differences = [
    ...compareFigures(ours, theirs, programs.series),
    ...(counts === null ? [] : compareCounts(ours, counts)),
  ];
  return { file, readBy: 'both', isCounted: counts !== null, differences };
}

function compareFigures(ours: CaptureStatistics, theirs: string[], series: string): Difference[] {
  return formatAsCapinfos(ours).flatMap((here, index) => {
    const there = theirs[index]!;
    const figure = capinfosFigures[index]!;
    return isSameFigure(here, there, series) ? [] : [{ program: 'capinfos', figure, here, there }];
  });
}

function compareCounts({ tcp, udp }: CaptureStatistics, theirs: WholeCounts): Difference[] {
  const ours = pickTsharkTcp(tcp!);
  const pairs: [figure: string, here: number, there: number][] = [
    ...tsharkFigures.map((name): [string, number, number] => [`tcp.${name}`, ours[name], theirs.tcp[name]]),
    ['udp.packets', udp!.packets, theirs.udp.packets],
    ['udp.flows', udp!.flows, theirs.udp.flows],
  ];
  return pairs
    .filter(([, here, there]) => here !== there)
    .map(([figure, here, there]) => ({ program: 'tshark', figure, here: String(here), there: String(there) }));
}

function describeFile({ file, readBy, differences, problem }: Compared): string[] {
  const name = showPlainly(file);
  if (readBy === 'capinfos') return [`${name}: only capinfos reads it: it ${problem}`];
  if (readBy === 'here') return [`${name}: capinfos does not read it to its end`];
  return differences.map(
    ({ program, figure, here, there }) => `${name}: ${figure} ${here}, by ${program} ${showPlainly(there)}`,
  );
}

function summarise(compared: Compared[], { series, readCounts }: OtherPrograms): string[] {
  const both = compared.filter(({ readBy }) => readBy === 'both');
  const counted = both.filter(({ isCounted }) => isCounted);
  const equal = (files: Compared[], program: Difference['program']) =>
    files.filter(({ differences }) => differences.every((each) => each.program !== program)).length;
  const others = (['here', 'capinfos', 'neither'] as const).map(
    (reader) => compared.filter(({ readBy }) => readBy === reader).length,
  );
  return [
    `capinfos of Wireshark ${series}: ${equal(both, 'capinfos')} of ${both.length} traces have the same figures`,
    ...(readCounts === null
      ? []
      : [
          `tshark: ${equal(counted, 'tshark')} of ${counted.length} traces have the same counts of TCP and UDP; docs/metrics.md lists known differences`,
        ]),
    `Not compared: read here alone ${others[0]}, by capinfos alone ${others[1]}, by neither ${others[2]}`,
  ];
}

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

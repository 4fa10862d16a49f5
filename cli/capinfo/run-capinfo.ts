import { AppError } from '#core/app-error.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { AddressSet } from '#core/packets/decode/address-set.ts';
import { exitStatus } from '../exit-status.ts';
import { describeStatistics } from './describe-statistics.ts';
import { formatStatistics } from './format-statistics.ts';
import { measureFile } from './measure-file.ts';

export interface CapinfoOptions {
  local: string[];
  json?: true;
  verbose?: true;
}

/** Prints the statistics of each file. A file that cannot be read to its end is reported on standard error, and the others are still printed. */
export async function runCapinfo(files: string[], options: CapinfoOptions): Promise<void> {
  new AddressSet(options.local); // says what is wrong with them before any file is read
  const entries: unknown[] = [];
  const complain = (file: string, problem: string, status: number) => {
    process.stderr.write(`${file}: ${problem}\n`);
    process.exitCode = Math.max(Number(process.exitCode ?? exitStatus.done), status);
  };

  for (const file of files) {
    try {
      const statistics = await measureFile(file, options.local);
      entries.push(describeStatistics(file, statistics));
      if (!options.json)
        process.stdout.write(`${entries.length > 1 ? '\n' : ''}${formatStatistics(file, statistics)}\n`);
      for (const { problem, status } of findProblems(statistics)) complain(file, problem, status);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (options.verbose) process.stderr.write(`${error.stack}\n`);
      entries.push({ file, problem: error.message });
      complain(file, error.message, exitStatus.misused);
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify(entries)}\n`);
}

function findProblems({ damage, linkTypes, cutPackets }: CaptureStatistics): { problem: string; status: number }[] {
  const problems: { problem: string; status: number }[] = linkTypes
    .filter(({ isDecoded }) => !isDecoded)
    .map(({ name, packets }) => ({
      problem: `${name} is not decoded: its ${packets} packets are only counted`,
      status: exitStatus.done,
    }));
  if (damage !== null)
    problems.push({
      problem: `${damage.kind}: read up to byte ${damage.readToBytes}, because ${damage.problem}`,
      status: exitStatus.failed,
    });
  if (cutPackets > 0)
    problems.push({
      problem: `the snap length cut the headers of ${cutPackets} packets: TCP and UDP counts leave them out`,
      status: exitStatus.done,
    });
  return problems;
}

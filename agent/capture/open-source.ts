import { AppError } from '#core/app-error.ts';
import { openPcapSource } from './open-pcap-source.ts';
import { openTcpdumpSource } from './open-tcpdump-source.ts';
import type { PacketSource, SourceOptions } from './packet-source.ts';

type Program = PacketSource['program'];

const openers = { pcap: openPcapSource, tcpdump: openTcpdumpSource } as const;

/**
 * Opens the first of the programs that can capture so. Throws `invalid-input` where only the filter is in the way, else `capture-unavailable` with the
 * reason of each.
 */
export async function openSource(programs: readonly Program[], options: SourceOptions): Promise<PacketSource> {
  const tried = await tryEach(programs, options);
  if ('source' in tried) return tried.source;
  const problems = tried.problems.join('; ');
  // libpcap compiles the filter when the interface is open, and not before.
  if (options.filter !== '' && (await canOpen(programs, { ...options, filter: '' }))) {
    throw new AppError(
      'invalid-input',
      `"${options.filter}" is not a filter that libpcap understands (${problems}): see pcap-filter(7)`,
    );
  }
  throw new AppError(
    'capture-unavailable',
    `Packets on ${options.interface} cannot be captured (${problems}): run the Agent as root, or install tcpdump and give it the right by "setcap cap_net_raw+ep"`,
  );
}

async function tryEach(
  programs: readonly Program[],
  options: SourceOptions,
): Promise<{ source: PacketSource } | { problems: string[] }> {
  const problems: string[] = [];
  for (const program of programs) {
    try {
      return { source: await openers[program](options) };
    } catch (error) {
      problems.push(`${program}: ${(error as Error).message}`);
    }
  }
  return { problems };
}

async function canOpen(programs: readonly Program[], options: SourceOptions): Promise<boolean> {
  const tried = await tryEach(programs, options);
  if (!('source' in tried)) return false;
  tried.source[Symbol.dispose]();
  return true;
}

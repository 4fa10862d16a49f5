import { Command, Option } from 'commander';
import type { CapinfoOptions } from '../capinfo/run-capinfo.ts';

/** `capinfo FILE…`: the packet statistics of any trace. */
export function capinfoCommand(): Command {
  return new Command('capinfo')
    .summary('Print the packet statistics of traces')
    .description(
      'Print the packet statistics of traces (pcap or pcapng, also compressed by gzip or zstd). A damaged trace is read up to the damage.',
    )
    .argument('<FILE...>', 'the traces; - reads standard input')
    .option(
      '--local <ADDRESSES>',
      'comma-separated addresses of the local host; required for statistics by direction',
      readList,
      [],
    )
    .addOption(
      new Option(
        '--against <PROGRAM>',
        "compare with Wireshark's capinfos, and with its tshark where that is installed; a FILE may be a folder of traces",
      )
        .choices(['capinfos'])
        .conflicts('local'),
    )
    .option('--json', 'print one JSON document: an array with one object per file')
    .addHelpText(
      'after',
      '\nExamples:\n  http-ae capinfo trace.pcap.zst --local 192.0.2.7\n  tcpdump -w - -c 1000 | http-ae capinfo --json -\n  http-ae capinfo captures/ --against capinfos',
    )
    .action(async (files: string[], options: CapinfoOptions) => {
      const { runCapinfo } = await import('../capinfo/run-capinfo.ts');
      await runCapinfo(files, options);
    });
}

function readList(text: string): string[] {
  return text.split(',');
}

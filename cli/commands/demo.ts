import { Command, Option } from 'commander';
import { readPortOrAny, traceLimitOption } from './option-parsers.ts';
import type { DemoOptions } from '../demo/run-demo.ts';

/** `demo`: the main job, end to end, on this machine alone. */
export function demoCommand(): Command {
  return new Command('demo')
    .summary('Compare HTTP/2 with HTTP/1.1 on this machine')
    .description(
      [
        'Compare HTTP/2 with HTTP/1.1 on this machine. Two User Agents share an emulated GEO satellite link and load pages of 4 to 20 small images from a local origin.',
        'If the machine allows no emulated link, the demo says so and loads pages of 1 to 30 images over the loopback interface.',
        'The Run is kept: "./http-ae up" shows it afterwards.',
      ].join(' '),
    )
    .option('--httpep', 'compare HTTPEP, the split proxy, with direct loads instead; this needs the emulated link')
    .addOption(
      new Option(
        '--site [NAME]',
        'replay a recorded page of several hosts instead, one that "site fetch-corpus" lists; this needs the emulated link',
      )
        .preset('sb-admin')
        .conflicts('httpep'),
    )
    .option('--once', 'exit after the report instead of serving it until Ctrl-C')
    .option(
      '--port <PORT>',
      'port of the web UI; 0 takes a free one (default: the first free one from 8420 on)',
      readPortOrAny,
    )
    .addOption(traceLimitOption())
    .option('--json', 'print one JSON document: { run, reportUrl, comparison }')
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import('../demo/run-demo.ts');
      await runDemo(options);
    });
}

import { Command } from 'commander';
import { readPort } from './option-parsers.ts';
import type { DevOptions } from '../up/run-dev.ts';

/** `dev`: HTTP-AE for those who change it. */
export function devCommand(): Command {
  return new Command('dev')
    .summary('Run HTTP-AE from its sources')
    .description(
      'Run HTTP-AE from its sources: a Controller that restarts and a web UI that reloads when a file changes, an Agent, and an origin. The first start runs a sample Evaluation.',
    )
    .option('--port <PORT>', 'port of the web UI', readPort, 8421)
    .action(async (options: DevOptions) => {
      const { runDev } = await import('../up/run-dev.ts');
      await runDev(options);
    });
}

import { Command } from 'commander';
import { readPort } from './read-port.ts';
import { traceLimitOption, type TraceLimitOptions } from './trace-limit-option.ts';

/** Where a Controller listens unless told otherwise. */
export const defaultPort = 8420;

export interface UpOptions extends TraceLimitOptions {
  host: string;
  port: number;
  json?: true;
  verbose?: true;
}

/** `up`: the Controller and its web UI. */
export function upCommand(): Command {
  return new Command('up')
    .description('Start the Controller and its web UI, with a PostgreSQL of its own unless DATABASE_URL names one.')
    .option('--host <ADDRESS>', 'address to listen on; 0.0.0.0 lets other machines join', '127.0.0.1')
    .option('--port <PORT>', 'port to listen on', readPort, defaultPort)
    .addOption(traceLimitOption())
    .option('--json', 'print one JSON document, { url, signInUrl }, once it listens')
    .action(async (options: UpOptions) => {
      const { runUp } = await import('../up/run-up.ts');
      await runUp(options);
    });
}

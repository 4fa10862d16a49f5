import { Command } from 'commander';
import { AppError } from '#core/app-error.ts';
import {
  readAgentName,
  readPortOrAny,
  readPublicUrl,
  extensionOption,
  defaultPort,
  traceLimitOption,
} from './option-parsers.ts';
import type { UpOptions } from '../up/run-up.ts';

/** `up`: the Controller and its web UI. */
export function upCommand(): Command {
  return new Command('up')
    .summary('Start the Controller and its web UI')
    .description('Start the Controller and its web UI. It starts its own PostgreSQL unless DATABASE_URL names one.')
    .option('--host <ADDRESS>', 'address to listen on; 0.0.0.0 lets other machines join', '127.0.0.1')
    .option('--port <PORT>', 'port to listen on; 0 takes a free one', readPortOrAny, defaultPort)
    .option(
      '--public-url <URL>',
      'address for other people and machines. Links and commands on the pages use it. With https, cookies go over https only',
      readPublicUrl,
    )
    .option(
      '--trusted-proxy <ADDRESSES>',
      'proxies before it, such as 10.0.0.7,10.1.0.0/16. Who fails to sign in is then known by the X-Forwarded-For that they send',
    )
    .option('--agent [NAME]', 'join this machine too, as an Agent of this name (default: its hostname)', readAgentName)
    .option('--allow-scripts', 'with --agent: let set-up and tear-down scripts of Scenarios run here, as your OS user')
    .addOption(extensionOption('with --agent: run the browser extension (engine extension) too'))
    .option(
      '--admin-link',
      'print a link to sign in once as an admin. Without any account it is always printed. While the Controller runs, "./http-ae link" prints another',
    )
    .addOption(traceLimitOption())
    .option('--one-run-at-a-time', 'start no Run beside another, even if they share no host and no origin')
    .option('--json', 'print one JSON document, { url, signInUrl }, once it listens')
    .addHelpText(
      'after',
      '\nHTTP_AE_LOG=json writes the log as one JSON document a line.\nARTEFACTS_URL=s3://… or file:///… is where traces and pictures are kept: see docs/controllers.md.\nWEBHOOK_URL=https://… is where Runs are reported that cross the threshold of their Evaluation: see docs/ci.md.',
    )
    .action(async (options: UpOptions) => {
      if (options.agent === undefined && (options.allowScripts || options.extension))
        throw new AppError(
          'invalid-input',
          '--allow-scripts and --extension are for the Agent on this machine: add --agent',
        );
      const { runUp } = await import('../up/run-up.ts');
      await runUp(options);
    });
}

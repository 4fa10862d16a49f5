import { Command } from 'commander';
import { defaultPort } from '../up/default-port.ts';
import { readAgentName } from './read-agent-name.ts';
import { readPort } from './read-port.ts';
import { readPublicUrl } from './read-public-url.ts';
import { traceLimitOption } from './trace-limit-option.ts';
import type { UpOptions } from '../up/run-up.ts';

/** `up`: the Controller and its web UI. */
export function upCommand(): Command {
  return new Command('up')
    .description('Start the Controller and its web UI, with a PostgreSQL of its own unless DATABASE_URL names one.')
    .option('--host <ADDRESS>', 'address to listen on; 0.0.0.0 lets other machines join', '127.0.0.1')
    .option('--port <PORT>', 'port to listen on', readPort, defaultPort)
    .option('--public-url <URL>', 'address that other people and machines reach it by; links and commands that are shown name it, and with https cookies go over https only', readPublicUrl)
    .option('--agent [NAME]', 'join this machine too, as an Agent of this name; its own when left out', readAgentName)
    .option('--allow-scripts', 'with --agent: let the set-up and tear-down scripts of Scenarios run here, as the user you are now')
    .option('--extension', 'with --agent: run the browser extension too, the engine extension')
    .option('--admin-link', 'print a link by which somebody signs in once as an admin; without any account one is printed anyway. While it runs, "./http-ae link" prints one')
    .addOption(traceLimitOption())
    .option('--json', 'print one JSON document, { url, signInUrl }, once it listens')
    .action(async (options: UpOptions) => {
      const { runUp } = await import('../up/run-up.ts');
      await runUp(options);
    });
}

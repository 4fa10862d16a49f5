import { Command, Option } from 'commander';
import { readControllerUrl } from './read-controller-url.ts';
import type { AgentCommandOptions } from '../agent/start-agent.ts';

/** `agent`: a stand-alone Agent on this machine. */
export function agentCommand(): Command {
  return new Command('agent')
    .description('Join this machine to a Controller as an Agent, which runs User Agents with a headless browser, until Ctrl-C.')
    .addOption(new Option('--controller <URL>', 'the Controller').env('HTTP_AE_CONTROLLER').argParser(readControllerUrl).makeOptionMandatory())
    .addOption(
      new Option('--token <TOKEN>', 'an agent token, made in the web UI under Hosts or by "./http-ae token create --agent" where the Controller runs; by HTTP_AE_TOKEN it stays out of the list of processes')
        .env('HTTP_AE_TOKEN')
        .makeOptionMandatory(),
    )
    .requiredOption('--name <NAME>', 'the name that Evaluations know this host by')
    .option('--allow-scripts', 'let the Controller run the set-up and tear-down scripts of Scenarios here, as the user you are now')
    .option('--allow-any-preference', 'let Scenarios set any preference of Firefox and any switch of Chrome here, those that load code or name files too')
    .option('--chrome <PATH>', 'the browser to run; else HTTP_AE_CHROME, the installed one, or a fetched one')
    .option('--firefox [PATH]', 'run Firefox too: this one, or without a path one that is fetched where none is; left out, Firefox is run if it is installed')
    .option('--no-firefox', 'do not run Firefox, though it is installed')
    .option('--extension', 'run the browser extension too: the engine extension, in that Chromium or Chrome')
    .option('--no-browser', 'run no browser here: an Agent for scripts, and for the engine http')
    .action(async (options: AgentCommandOptions) => {
      const { startAgent } = await import('../agent/start-agent.ts');
      await startAgent(options);
    });
}

import { Command, Option } from 'commander';
import { sshLifetimes } from '#core/protocol/host-facts.ts';
import { extensionOption, readAgentName, readControllerUrls } from './option-parsers.ts';
import type { AgentCommandOptions } from '../agent/start-agent.ts';
import { readTextFile } from '#httpep/command/read-text-file.ts';
import { AppError } from '#core/app-error.ts';

/** `agent`: a stand-alone Agent on this machine. */
export function agentCommand(): Command {
  return (
    new Command('agent')
      .summary('Join this machine to a Controller as an Agent')
      .description(
        'Join this machine to a Controller as an Agent, which runs User Agents with a headless browser, until Ctrl-C.',
      )
      .addOption(
        new Option(
          '--controller <URL,…>',
          'the Controller; of several on one database their addresses, with commas between, the first one preferred',
        )
          .env('HTTP_AE_CONTROLLER')
          .argParser(readControllerUrls)
          .makeOptionMandatory(),
      )
      .addOption(
        new Option(
          '--token <TOKEN>',
          'an agent token, from Hosts in the web UI or from "./http-ae token create --agent" on the Controller’s machine. HTTP_AE_TOKEN keeps it out of the process list',
        ).env('HTTP_AE_TOKEN'),
      )
      .option('--token-file <FILE>', 'the file that has the token, instead of --token')
      .requiredOption('--name <NAME>', 'name of this host in Evaluations', readAgentName)
      .option(
        '--allow-scripts',
        'let the Controller run set-up and tear-down scripts of Scenarios here, as your OS user',
      )
      .option(
        '--allow-any-preference',
        'let Scenarios set any Firefox preference and any Chrome switch here, even those that load code or name files',
      )
      .addOption(
        new Option(
          '--chrome <PATH>',
          'Chromium or Chrome to run (default: HTTP_AE_CHROME, the installed one, or a fetched one)',
        ).conflicts('browser'),
      )
      .option(
        '--firefox [PATH]',
        'run Firefox too: the one at PATH, or else the installed or a fetched one. Without this option: Firefox if it is installed',
      )
      .option('--no-firefox', 'do not run Firefox, even if it is installed')
      .addOption(extensionOption('run the browser extension (engine extension) too').conflicts('browser'))
      .option('--no-browser', 'run no browser: only scripts and the engine http')
      // For "hosts up", whose script runs it: until standard input ends or falls silent, or as a service.
      .addOption(new Option('--by-ssh <LIFETIME>').choices(sshLifetimes).hideHelp())
      .action(async (options: AgentCommandOptions) => {
        const token = await readToken(options);
        const { startAgent } = await import('../agent/start-agent.ts');
        await startAgent({ ...options, token });
      })
  );
}

/** The token of an Agent, from the option that has it or its file. Throws `invalid-input`. */
async function readToken({ token, tokenFile }: { token?: string; tokenFile?: string }): Promise<string> {
  if (tokenFile === undefined) {
    if (token !== undefined) return token;
    throw new AppError('invalid-input', 'An Agent needs a token: give it by --token, --token-file or HTTP_AE_TOKEN');
  }
  return (await readTextFile(tokenFile, 'name the file of an Agent’s token with --token-file')).trim();
}

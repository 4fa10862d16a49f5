import { Argument, Command, Option } from 'commander';
import { readAgentName } from './read-agent-name.ts';
import { tokenActions, type TokenAction, type TokenOptions } from '../token/token-options.ts';

const actionsHelp = `
Actions:
  create     make a token and print it; nothing prints it a second time. --agent or --api says what it is for
  list       print the tokens that are valid, without their secrets
  revoke ID  end a token, and the lines of the Agents that use it`;

/** `token ACTION`: tokens of the Controller that runs on this machine. */
export function tokenCommand(): Command {
  return new Command('token')
    .description('Make, list and revoke tokens of the Controller that "up" or "demo" runs on this machine. It needs the same OS user.')
    .addArgument(new Argument('<ACTION>', 'what to do').choices(tokenActions))
    .argument('[ID]', 'of revoke: the number that "list" prints')
    .addOption(new Option('--agent [NAME]', 'of create: for the Agent of this name; without one for Agents of any name').argParser(readAgentName).conflicts('api'))
    .option('--api', 'of create: for programs, such as "./http-ae evaluate" on another machine')
    .addOption(new Option('--role <ROLE>', 'of create --api: what the program may do').choices(['viewer', 'evaluator']).default('evaluator'))
    .option('--name <TEXT>', 'of create: what lists call the token', readAgentName)
    .option('--json', 'print one JSON document: of create the token with what is known of it, of list all of them')
    .addHelpText('after', actionsHelp)
    .action(async (action: TokenAction, id: string | undefined, options: TokenOptions) => {
      const { runToken } = await import('../token/run-token.ts');
      await runToken({ action, id }, options);
    });
}

import { Argument, Command, Option } from 'commander';
import { readAgentName } from './option-parsers.ts';
import type { TokenAction, TokenOptions } from '../controller/run-token.ts';

const tokenActions: readonly TokenAction[] = ['create', 'list', 'revoke'];

const actionsHelp = `
Actions:
  create     create a token and print it, this once only. It needs --agent or --api
  list       list the valid tokens, without their secrets
  revoke ID  revoke a token and disconnect the Agents that use it`;

/** `token ACTION`: tokens of the Controller that runs on this machine. */
export function tokenCommand(): Command {
  return new Command('token')
    .summary('Create, list and revoke tokens')
    .description(
      'Create, list and revoke tokens of the Controller that "up" or "demo" runs on this machine. Run this command as the same OS user.',
    )
    .addArgument(new Argument('<ACTION>', 'what to do').choices(tokenActions))
    .argument('[ID]', 'revoke: the number that "list" prints')
    .addOption(
      new Option('--agent [NAME]', 'create: for the Agent of this name; without a name for any Agent')
        .argParser(readAgentName)
        .conflicts('api'),
    )
    .option('--api', 'create: for programs, such as "./http-ae evaluate" on another machine')
    .addOption(
      new Option('--role <ROLE>', 'create --api: role of the program')
        .choices(['viewer', 'evaluator'])
        .default('evaluator'),
    )
    .option('--name <TEXT>', 'create: name of the token in lists', readAgentName)
    .option('--json', 'print one JSON document: for create the token and its details, for list all tokens')
    .addHelpText('after', actionsHelp)
    .action(async (action: TokenAction, id: string | undefined, options: TokenOptions) => {
      const { runToken } = await import('../controller/run-token.ts');
      await runToken({ action, id }, options);
    });
}

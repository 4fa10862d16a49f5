import { Command, Option } from 'commander';
import { RoleSchema } from '#core/protocol/role.ts';
import type { LinkOptions } from '../up/print-link.ts';

/** `link`: a way in to the Controller that runs on this machine. */
export function linkCommand(): Command {
  return new Command('link')
    .summary('Print a sign-in link for the Controller')
    .description(
      'Print a sign-in link for the Controller that "up" or "demo" runs on this machine. The link works once, within a day. Run this command as the same OS user.',
    )
    .addOption(
      new Option('--role <ROLE>', 'role of the person who opens the link').choices(RoleSchema.options).default('admin'),
    )
    .option('--json', 'print one JSON document: { url, signInUrl }')
    .action(async (options: LinkOptions) => {
      const { printLink } = await import('../up/print-link.ts');
      await printLink(options);
    });
}

import { Command, Option } from 'commander';
import { RoleSchema } from '#core/access/role.ts';
import type { LinkOptions } from '../up/print-link.ts';

/** `link`: a way in to the Controller that runs on this machine. */
export function linkCommand(): Command {
  return new Command('link')
    .description('Print a link that signs in once, within a day, to the Controller that "up" or "demo" runs on this machine. It needs the same OS user.')
    .addOption(new Option('--role <ROLE>', 'what the link lets its user do').choices(RoleSchema.options).default('admin'))
    .option('--json', 'print one JSON document: { url, signInUrl }')
    .action(async (options: LinkOptions) => {
      const { printLink } = await import('../up/print-link.ts');
      await printLink(options);
    });
}

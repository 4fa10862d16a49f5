import { Argument, Command } from 'commander';
import { controllerOption, tokenOption } from './controller-options.ts';
import { readRunId } from './option-parsers.ts';
import type { OpenOptions } from '../open-page.ts';

/** `open [RUN]`: the web UI in the browser of the person at the terminal. */
export function openCommand(): Command {
  return new Command('open')
    .summary('Open the web UI in the browser')
    .description(
      'Open the web UI, or the Comparison of a Run, in the browser. Without a desktop, the command only prints the link. If you are not signed in there, "link" prints a sign-in link.',
    )
    .addArgument(new Argument('[RUN]', 'the id of a Run, as "runs" lists it').argParser(readRunId))
    .option('--print', 'print the link, open nothing')
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (run: string | undefined, options: OpenOptions) => {
      const { openPage } = await import('../open-page.ts');
      await openPage(run, options);
    });
}

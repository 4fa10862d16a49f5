import { Command, InvalidArgumentError, Option } from 'commander';
import { PublicKeySchema } from '#core/evaluation/browser/trusted-keys.ts';
import type { RecordOptions } from '../site/record-site.ts';

const mostVisits = 100;

/** `site record | show | import | export | fetch-corpus`: pages of the web in a file, which the testbed replays. */
export function siteCommand(): Command {
  const site = new Command('site')
    .summary('Record pages of the web for replays')
    .description('Record pages of the web with all hosts that they load from in one file, a WACZ. See docs/sites.md.');
  for (const command of [recordCommand(), showCommand(), importCommand(), exportCommand(), fetchCorpusCommand()])
    site.addCommand(command);
  return site;
}

function recordCommand(): Command {
  return new Command('record')
    .summary('Record pages')
    .description(
      'Load pages with a headless browser through a recording proxy, and write all answers and times to a file. Cookies, authorisation and tokens in headers are left out.',
    )
    .argument('[URL...]', 'the pages, each with an empty cache')
    .requiredOption('--to <FILE.wacz>', 'the new file')
    .addOption(new Option('--engine <ENGINE>', 'the browser').choices(['chrome', 'firefox']).default('chrome'))
    .option('--journey <FILE>', 'a recording of Chrome’s Recorder, exported as JSON: each of its navigations is a page')
    .option('--visits <NUMBER>', 'how often each page is loaded', readVisits, 3)
    .option('--keep-secrets', 'keep cookies, authorisation and tokens in headers')
    .option(
      '--trusted-key <KEY...>',
      'trust servers with this public key too, written as the base64 SHA-256 that "origin" prints',
      readKeys,
      [],
    )
    .option('--json', 'print one JSON document, as "site show" does')
    .action(async (urls: string[], options: RecordOptions) => {
      const { recordSite } = await import('../site/record-site.ts');
      await recordSite(urls, options);
    });
}

function showCommand(): Command {
  return new Command('show')
    .summary('Print what a recording has')
    .description('Print the pages, hosts, bytes and times of a recording, and what was left out of it.')
    .argument('<FILE.wacz>', 'the recording')
    .option('--json', 'print one JSON document: { title, pages, hosts, types, dropped, … }')
    .action(async (file: string, options: { json?: true }) => {
      const { showSite } = await import('../site/show-site.ts');
      await showSite(file, options);
    });
}

function importCommand(): Command {
  return new Command('import')
    .summary('Make a recording of a HAR')
    .description(
      'Make a recording of a HAR that has the bodies of its responses, such as Chrome’s DevTools save it ("with sensitive data" or not).',
    )
    .argument('<FILE.har>', 'the HAR')
    .requiredOption('--to <FILE.wacz>', 'the new file')
    .option('--keep-secrets', 'keep cookies, authorisation and tokens in headers')
    .option('--json', 'print one JSON document, as "site show" does')
    .action(async (file: string, options: { to: string; keepSecrets?: true; json?: true }) => {
      const { importHar } = await import('../site/convert-har.ts');
      await importHar(file, options);
    });
}

function exportCommand(): Command {
  return new Command('export')
    .summary('Write a recording as HAR')
    .description('Write a recording as HAR 1.2 with all bodies, for other programs.')
    .argument('<FILE.wacz>', 'the recording')
    .requiredOption('--to <FILE.har>', 'the new file')
    .action(async (file: string, options: { to: string }) => {
      const { exportHar } = await import('../site/convert-har.ts');
      await exportHar(file, options);
    });
}

function fetchCorpusCommand(): Command {
  return new Command('fetch-corpus')
    .summary('Make recordings of pages from npm and Debian')
    .description(
      'Make recordings of pages that come with packages of npm and Debian: dashboards, galleries, manuals, of 10 to 217 objects. Their files are spread over several hosts, whose distances are invented. docs/sites.md lists the pages.',
    )
    .argument('[NAME...]', 'pages of the list (default: all)')
    .option('--to <FOLDER>', 'where the files NAME.wacz go; those that are there stay', 'corpus')
    .action(async (names: string[], options: { to: string }) => {
      const { runFetchCorpus } = await import('../site/fetch-corpus.ts');
      await runFetchCorpus(names, options);
    });
}

function readVisits(text: string): number {
  const visits = Number(text);
  if (!/^\d+$/.test(text) || visits < 1 || visits > mostVisits)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostVisits}.`);
  return visits;
}

function readKeys(text: string, before: string[] = []): string[] {
  const { success, error } = PublicKeySchema.safeParse(text);
  if (!success) throw new InvalidArgumentError(`It ${error.issues[0]!.message}.`);
  return [...before, text];
}

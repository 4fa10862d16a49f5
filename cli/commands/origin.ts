import { Command } from 'commander';
import { readPortOrAny } from './option-parsers.ts';
import type { OriginCommandOptions } from '../origin/run-origin.ts';

/** `origin`: the web server that the examples load pages from. */
export function originCommand(): Command {
  return new Command('origin')
    .summary('Serve the pages that the examples load')
    .description(
      'Serve the pages that the examples load, such as /images/10, over HTTP/1.1 and over HTTP/2 with TLS, until Ctrl-C. "?delayMs=50" delays each object.',
    )
    .option('--host <ADDRESS>', 'address of this machine to listen on', '127.0.0.1')
    .option('--port <PORT>', 'port of plain HTTP/1.1; 0 takes a free one', readPortOrAny, 8080)
    .option('--tls-port <PORT>', 'port of HTTP/2 and HTTP/1.1 over TLS, likewise', readPortOrAny, 8443)
    .option('--all', 'listen on the port of each setting that docs/testbed.md lists, too')
    .option(
      '--http3',
      'serve HTTP/3 too, beside HTTP/1.1 and HTTP/2 on the same port 8460, by the program caddy (installed if this is root on a Debian)',
    )
    .option('--json', 'print one JSON document, { httpUrl, http2Url, urls, trustedKey }, once it listens')
    .action(async (options: OriginCommandOptions) => {
      const { runOrigin } = await import('../origin/run-origin.ts');
      await runOrigin(options);
    });
}

import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { PublicKeySchema } from '#core/evaluation/browser/trusted-keys.ts';
import { defaultPaceRatio, paceRatioBounds } from '#core/evaluation/network/httpep.ts';
import type { Display } from '#core/page-objects/display.ts';
import { codings } from '../exchange/body-coder.ts';
import { imageFormats } from '../ground/compress/compression.ts';
import { schedulerNames } from '../scheduler/scheduler.ts';
import { pepEnds, readHostPort, type PepEnd, type PepOptions } from './pep-options.ts';

const endsHelp = `
Ends:
  ground  fetches from the web servers; runs where they are near
  remote  is the HTTP proxy of the browsers; runs where they are

Both need the same key. Make one with: head -c 32 /dev/urandom | base64 > key && chmod 600 key
docs/httpep.md says more about them.`;

/** `pep END`: one end of HTTPEP, the split HTTP proxy. It runs until the signal of `watch` aborts. */
export function pepCommand(watch: () => { signal: AbortSignal } & Disposable): Command {
  return new Command('pep')
    .summary('Run one end of HTTPEP, a split HTTP proxy')
    .description('One end of HTTPEP, a split HTTP proxy for slow links with a long delay, until Ctrl-C.')
    .addArgument(new Argument('<END>', 'which end').choices(pepEnds))
    .requiredOption('--listen <HOST:PORT>', 'where to listen; port 0 takes a free one', readHostPort)
    .requiredOption('--key <FILE>', 'file with the key of both ends')
    .option('--ground <HOST:PORT>', 'remote: where the ground end listens', readHostPort)
    .option('--connections <NUMBER>', 'remote: number of TCP connections to the ground end (default: 4)', readCount)
    .option(
      '--clients <ADDRESSES>',
      'remote: who may use the proxy, such as 192.168.1.0/24,10.0.0.7 (default: this machine)',
      (text: string) => text.split(','),
    )
    .option('--credentials <FILE>', 'remote: users and passwords, "name:password" in each line')
    .option(
      '--rate <KBPS>',
      'ground: rate of the link to the remote end, in kb/s, or auto: estimated; it sends just below (default: no limit)',
      readRate,
    )
    .option(
      '--pace-ratio <RATIO>',
      `ground: share of --rate that it sends at (default: ${defaultPaceRatio})`,
      readPaceRatio,
    )
    .addOption(new Option('--scheduler <NAME>', 'ground: who is served next (default: fair)').choices(schedulerNames))
    .option('--classes <FILE>', 'ground: YAML with the weight and the users of each class')
    .option(
      '--allow-private [ADDRESSES]',
      'ground: also fetch from these private, loopback and link-local addresses, such as 10.0.0.0/8; without a list, from all',
      (text: string) => text.split(','),
    )
    .option(
      '--connect-ports <PORTS>',
      'ground: ports of public addresses that CONNECT reaches, such as 443,8443, or all (default: 80,443)',
      readPorts,
    )
    .option(
      '--tls-key <FILE>',
      'remote: end TLS here, with this private key, which is made if missing; browsers have to trust it (default: TLS passes untouched)',
    )
    .option(
      '--trusted-keys <KEYS>',
      'ground: base64 SHA-256 of keys of web servers without a known authority, such as those of a testbed',
      readKeys,
    )
    .option('--no-bundling', 'ground: do not fetch ahead what pages need')
    .option(
      '--viewport <SIZE>',
      'ground: display of the browsers, WIDTHxHEIGHT or WIDTHxHEIGHT@RATIO, for the choice of images (default: 1366x768)',
      readViewport,
    )
    .addOption(
      new Option('--text <CODING>', 'ground: how text is compressed in the tunnel (default: brotli)').choices([
        'none',
        ...codings,
      ]),
    )
    .addOption(
      new Option(
        '--images <FORMAT>',
        'ground: recompress images to this format, with a loss, where that is shorter (default: none)',
      ).choices(['none', ...imageFormats]),
    )
    .option('--image-quality <QUALITY>', 'ground: quality of recompressed images, 1 to 100 (default: 50)', readQuality)
    .option('--counters <FILE>', 'append counters of users, pages and connections to this file, as JSON lines')
    .option('--metrics <HOST:PORT>', 'serve the counters at http://HOST:PORT/metrics, for Prometheus', readHostPort)
    .option('--json', 'print one JSON document, { host, port, metricsPort, trustedKey }, once it listens')
    .addHelpText('after', endsHelp)
    .action(async (end: PepEnd, options: PepOptions) => {
      const { runPep } = await import('./run-pep.ts');
      using interrupts = watch();
      await runPep(end, options, interrupts.signal);
    });
}

function readKeys(text: string): string[] {
  const { success, data, error } = PublicKeySchema.array().safeParse(text.split(','));
  if (!success) throw new InvalidArgumentError(`Each ${error.issues[0]!.message}.`);
  return data;
}

function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > 16)
    throw new InvalidArgumentError('It is a whole number from 1 to 16.');
  return count;
}

function readQuality(text: string): number {
  const quality = Number(text);
  if (!/^\d+$/.test(text) || quality < 1 || quality > 100)
    throw new InvalidArgumentError('A quality is a whole number from 1 to 100.');
  return quality;
}

function readRate(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const rate = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || rate < 1 || rate > 10_000_000) {
    throw new InvalidArgumentError('A rate is auto, or a number from 1 to 10000000 kb/s.');
  }
  return rate;
}

function readPaceRatio(text: string): number {
  const ratio = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || ratio < paceRatioBounds.min || ratio > paceRatioBounds.max) {
    throw new InvalidArgumentError(`A share is a number from ${paceRatioBounds.min} to ${paceRatioBounds.max}.`);
  }
  return ratio;
}

function readViewport(text: string): Display {
  const match = /^(\d{1,5})x(\d{1,5})(?:@(\d(?:\.\d+)?))?$/.exec(text);
  const [widthPx, heightPx, scaleRatio] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3] ?? 1)];
  if (!match || widthPx < 1 || heightPx < 1 || !(scaleRatio > 0)) {
    throw new InvalidArgumentError('A display is WIDTHxHEIGHT in CSS pixels, such as 1366x768, or 390x844@3.');
  }
  return { widthPx, heightPx, scaleRatio };
}

function readPorts(text: string): 'all' | Set<number> {
  if (text === 'all') return text;
  const ports = text.split(',').map((each) => (/^\d{1,5}$/.test(each.trim()) ? Number(each) : 0));
  if (ports.some((port) => port < 1 || port > 65_535))
    throw new InvalidArgumentError('Write ports such as 80,443, or all.');
  return new Set(ports);
}

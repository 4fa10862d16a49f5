import type { Display } from '#core/page-objects/display.ts';
import { AppError } from '#core/app-error.ts';
import type { Compression } from '#pep/ground/compress/compression.ts';
import { CounterFile } from '#pep/counters/counter-file.ts';
import { serveMetrics } from '#pep/counters/serve-metrics.ts';
import { startGround, type Ground } from '#pep/ground/start-ground.ts';
import { RemoteCounters } from '#pep/remote/remote-counters.ts';
import { startRemote, type Remote } from '#pep/remote/start-remote.ts';
import { untilAborted } from '../up/until-aborted.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { chooseRate } from './choose-rate.ts';
import type { PepEnd, PepOptions } from './pep-options.ts';
import { readClasses } from './read-classes.ts';
import { readCredentials } from './read-credentials.ts';
import { readKey } from './read-key.ts';
import { readTlsKey } from './read-tls-key.ts';
import { loopback, readNetworks } from './read-networks.ts';

/** Of the browsers that Agents start. */
const usualDisplay: Display = { widthPx: 1366, heightPx: 768, scaleRatio: 1 };
/** That of the papers. */
const usualQuality = 50;
const optionsOf: Record<PepEnd, (keyof PepOptions)[]> = {
  ground: [
    'rate',
    'paceRatio',
    'scheduler',
    'classes',
    'allowPrivate',
    'viewport',
    'text',
    'images',
    'imageQuality',
    'trustedKeys',
  ],
  remote: ['ground', 'connections', 'clients', 'credentials', 'tlsKey'],
};

/** Runs one end until interrupted. Throws `invalid-input` and `port-taken`. */
export async function runPep(end: PepEnd, options: PepOptions): Promise<void> {
  const foreign = optionsOf[end === 'ground' ? 'remote' : 'ground'].filter((name) => options[name] !== undefined);
  if (foreign.length > 0) throw new AppError('invalid-input', `The ${end} end has no --${toOption(foreign[0]!)}`);
  using interrupts = watchInterrupts();
  await using running = end === 'ground' ? await openGround(options) : await openRemote(options);
  await using published = await publishCounters(running, options);
  const { host } = options.listen;
  if (options.json)
    console.log(
      JSON.stringify({
        host,
        port: running.port,
        metricsPort: published.metricsPort,
        ...('trustedKey' in running && { trustedKey: running.trustedKey ?? undefined }),
      }),
    );
  else console.log(`Listening on ${host.includes(':') ? `[${host}]` : host}:${running.port}`);
  await untilAborted(interrupts.signal);
}

const onNote = (text: string) => {
  console.error(text);
};

async function publishCounters(running: Ground | Remote, { counters: path, metrics }: PepOptions) {
  await using resources = new AsyncDisposableStack();
  const { counters } = running;
  if (path !== undefined) {
    const file = resources.use(await CounterFile.open(path, { source: counters, onNote }));
    if (counters instanceof RemoteCounters) {
      counters.on('page', (page) => file.addPage({ ...page }));
      resources.defer(() => counters[Symbol.dispose]());
    }
  }
  const server = metrics && resources.use(await serveMetrics(counters, metrics));
  const held = resources.move();
  return { metricsPort: server?.port, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

async function openGround(options: PepOptions) {
  const {
    listen,
    key,
    scheduler = 'fair',
    classes,
    allowPrivate,
    trustedKeys,
    bundling,
    viewport = usualDisplay,
  } = options;
  const { weights, classOf } = classes === undefined ? { weights: {}, classOf: () => '' } : await readClasses(classes);
  return startGround({
    ...listen,
    key: await readKey(key),
    scheduler,
    weights,
    classOf,
    ...chooseRate(options),
    allowPrivate: Array.isArray(allowPrivate) ? readNetworks(allowPrivate, '--allow-private') : allowPrivate === true,
    trustedKeys: trustedKeys ?? [],
    bundling: bundling ? viewport : null,
    compression: chooseCompression(options),
    onNote,
  });
}

function chooseCompression({ text = 'brotli', images = 'none', imageQuality = usualQuality }: PepOptions): Compression {
  return {
    text: text === 'none' ? null : text,
    images: images === 'none' ? null : { format: images, quality: imageQuality },
  };
}

async function openRemote(options: PepOptions) {
  const { listen, key, ground, connections = 4, clients, credentials, tlsKey } = options;
  if (!ground) throw new AppError('invalid-input', 'The remote end needs --ground HOST:PORT');
  const leaves = tlsKey === undefined ? null : await readTlsKey(tlsKey);
  if (leaves)
    onNote(`TLS ends here: this process reads what is encrypted. Browsers have to trust the key ${leaves.trustedKey}`);
  return startRemote({
    leaves,
    ...listen,
    key: await readKey(key),
    ground,
    connectionCount: connections,
    allowed: readNetworks(clients ?? loopback, '--clients'),
    passwords: credentials === undefined ? null : await readCredentials(credentials),
    onNote,
  });
}

function toOption(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

import type { Display } from '#core/page-objects/display.ts';
import { AppError } from '#core/app-error.ts';
import type { Compression } from '#pep/ground/compress/compression.ts';
import { startGround } from '#pep/ground/start-ground.ts';
import { startRemote } from '#pep/remote/start-remote.ts';
import { untilAborted } from '../up/until-aborted.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { PepEnd, PepOptions } from './pep-options.ts';
import { readClasses } from './read-classes.ts';
import { readCredentials } from './read-credentials.ts';
import { readKey } from './read-key.ts';
import { loopback, readNetworks } from './read-networks.ts';

/** How much of the link's rate is used: what is above would wait in the link's queue. */
const paceRatio = 0.97;
/** Of the browsers that Agents start. */
const usualDisplay: Display = { widthPx: 1366, heightPx: 768, scaleRatio: 1 };
/** That of the papers. */
const usualQuality = 50;
const optionsOf: Record<PepEnd, (keyof PepOptions)[]> = {
  ground: ['rate', 'scheduler', 'classes', 'allowPrivate', 'viewport', 'text', 'images', 'imageQuality'],
  remote: ['ground', 'connections', 'clients', 'credentials'],
};

/** Runs one end until interrupted. Throws `invalid-input` and `port-taken`. */
export async function runPep(end: PepEnd, options: PepOptions): Promise<void> {
  const foreign = optionsOf[end === 'ground' ? 'remote' : 'ground'].filter((name) => options[name] !== undefined);
  if (foreign.length > 0) throw new AppError('invalid-input', `The ${end} end has no --${toOption(foreign[0]!)}`);
  using interrupts = watchInterrupts();
  await using running = end === 'ground' ? await openGround(options) : await openRemote(options);
  const { host } = options.listen;
  if (options.json) console.log(JSON.stringify({ host, port: running.port }));
  else console.log(`Listening on ${host.includes(':') ? `[${host}]` : host}:${running.port}`);
  await untilAborted(interrupts.signal);
}

const onNote = (text: string) => {
  console.error(text);
};

async function openGround(options: PepOptions) {
  const { listen, key, rate, scheduler = 'fair', classes, allowPrivate, bundling, viewport = usualDisplay } = options;
  const { weights, classOf } = classes === undefined ? { weights: {}, classOf: () => '' } : await readClasses(classes);
  return startGround({
    ...listen,
    key: await readKey(key),
    scheduler,
    weights,
    classOf,
    paceKbps: rate === undefined ? null : rate * paceRatio,
    allowPrivate: allowPrivate === true,
    bundling: bundling ? viewport : null,
    compression: chooseCompression(options),
    onNote,
  });
}

function chooseCompression({ text = 'brotli', images = 'none', imageQuality }: PepOptions): Compression {
  if (images === 'none' && imageQuality !== undefined) {
    throw new AppError('invalid-input', '--image-quality needs --images jpeg or --images webp');
  }
  return {
    text: text === 'none' ? null : text,
    images: images === 'none' ? null : { format: images, quality: imageQuality ?? usualQuality },
  };
}

async function openRemote({ listen, key, ground, connections = 4, clients, credentials }: PepOptions) {
  if (!ground) throw new AppError('invalid-input', 'The remote end needs --ground HOST:PORT');
  return startRemote({
    ...listen,
    key: await readKey(key),
    ground,
    connectionCount: connections,
    allowed: readNetworks(clients ?? loopback),
    passwords: credentials === undefined ? null : await readCredentials(credentials),
    onNote,
  });
}

function toOption(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

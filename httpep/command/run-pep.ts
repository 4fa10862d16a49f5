import { generateKeyPairSync } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { listIssues, parseYaml } from '#core/input/parse-yaml.ts';
import type { Display } from '#core/page-objects/display.ts';
import { AppError } from '#core/app-error.ts';
import type { Compression } from '../ground/compress/compression.ts';
import { CounterFile } from '../counters/counter-file.ts';
import { serveMetrics } from '../counters/serve-metrics.ts';
import { startGround, type Ground } from '../ground/start-ground.ts';
import { RemoteCounters } from '../remote/remote-counters.ts';
import { startRemote, type Remote } from '../remote/start-remote.ts';
import { LeafCertificates } from '../remote/tls/tls-ending.ts';
import { readNetworks, type PepEnd, type PepOptions } from './pep-options.ts';
import { readTextFile } from './read-text-file.ts';
import { defaultPaceRatio } from '#core/evaluation/network/httpep.ts';
import type { GroundSettings } from '../ground/ground-tunnels.ts';
import { hashPassword } from '../remote/clients.ts';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';

const minLength = 32;
const advice = 'Make one with: head -c 32 /dev/urandom | base64 > key && chmod 600 key';

const loopback = ['127.0.0.0/8', '::1'];

/** Of the browsers that Agents start. */
const usualDisplay: Display = { widthPx: 1366, heightPx: 768, scaleRatio: 1 };
/** That of the papers. */
const usualQuality = 50;
/** Of the web. */
const usualConnectPorts: ReadonlySet<number> = new Set([80, 443]);
const optionsOf: Record<PepEnd, (keyof PepOptions)[]> = {
  ground: [
    'rate',
    'paceRatio',
    'scheduler',
    'classes',
    'allowPrivate',
    'connectPorts',
    'viewport',
    'text',
    'images',
    'imageQuality',
    'trustedKeys',
  ],
  remote: ['ground', 'connections', 'clients', 'credentials', 'tlsKey'],
};

/** Runs one end until the signal aborts. Throws `invalid-input` and `port-taken`. */
export async function runPep(end: PepEnd, options: PepOptions, signal: AbortSignal): Promise<void> {
  const others = optionsOf[end === 'ground' ? 'remote' : 'ground'].filter((name) => options[name] !== undefined);
  const [foreign] = [...others.map(toOption), ...(end === 'remote' && !options.bundling ? ['no-bundling'] : [])];
  if (foreign !== undefined) throw new AppError('invalid-input', `The ${end} end has no --${foreign}`);
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
  if (!signal.aborted) await once(signal, 'abort');
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
    connectPorts = allowPrivate === true ? 'all' : usualConnectPorts,
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
    connectPorts,
    trustedKeys: trustedKeys ?? [],
    bundling: bundling ? viewport : null,
    compression: chooseCompression(options),
    onNote,
  });
}

/** Texts are compressed unless one says otherwise, images are not. */
export function chooseCompression({
  text = 'brotli',
  images = 'none',
  imageQuality = usualQuality,
}: Pick<PepOptions, 'text' | 'images' | 'imageQuality'>): Compression {
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

/** Throws `invalid-input` for a share of no rate. */
export function chooseRate({
  rate,
  paceRatio,
}: Pick<PepOptions, 'rate' | 'paceRatio'>): Pick<GroundSettings, 'rateKbps' | 'paceRatio'> {
  if (rate === undefined && paceRatio !== undefined)
    throw new AppError('invalid-input', '--pace-ratio needs the rate of the link: add --rate');
  return { rateKbps: rate ?? null, paceRatio: paceRatio ?? defaultPaceRatio };
}

/** Passwords by name, hashed. Empty lines and those that begin with `#` are left out. Throws `invalid-input` that names the line. */
async function readCredentials(file: string): Promise<Map<string, Buffer>> {
  const passwords = new Map<string, Buffer>();
  for (const [index, line] of (await readTextFile(file, 'name a file with --credentials')).split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    if (colon < 1 || colon === line.length - 1 || passwords.has(name)) {
      throw new AppError('invalid-input', `${file}, line ${index + 1}: write name:password, each name once`);
    }
    passwords.set(name, hashPassword(line.slice(colon + 1)));
  }
  return passwords;
}

/** The key of a file, without spaces around it. Throws `invalid-input` for a short one, and one that all users can read. */
async function readKey(file: string): Promise<Buffer> {
  const text = (await readTextFile(file, 'name a file with --key')).trim();
  if (text.length < minLength) {
    throw new AppError('invalid-input', `The key in ${file} has fewer than ${minLength} characters. ${advice}`);
  }
  const { mode } = await stat(file);
  if ((mode & 0o007) !== 0) {
    throw new AppError(
      'invalid-input',
      `All users of this machine can read the key in ${file}. Run: chmod 600 ${file}`,
    );
  }
  return Buffer.from(text);
}

const ClassesSchema = z.record(
  z.string(),
  z.strictObject({
    weight: z.number().positive().max(1000),
    /** Addresses, or names of `--credentials`. Without, the class has all users that no other class names. */
    users: z.array(z.string()).optional(),
  }),
);

interface UserClasses {
  weights: Record<string, number>;
  classOf: (user: string) => string;
}

/** Throws `invalid-input` that names what is wrong. */
export async function readClasses(file: string): Promise<UserClasses> {
  const classes = parseClasses(file, await readTextFile(file, 'name a file with --classes'));
  const byUser = new Map<string, string>();
  let ofOthers = '';
  for (const [name, { users }] of Object.entries(classes)) {
    if (users === undefined) {
      if (ofOthers !== '')
        refuse(`${file}: ${ofOthers} and ${name} both have no users: only one class can have all others`);
      ofOthers = name;
    }
    for (const user of (users ?? []).map(toUsualForm)) {
      if (byUser.has(user)) refuse(`${file}: ${user} is in ${byUser.get(user)!} and in ${name}: a user has one class`);
      byUser.set(user, name);
    }
  }
  return {
    weights: Object.fromEntries(Object.entries(classes).map(([name, { weight }]) => [name, weight])),
    classOf: (user) => byUser.get(user) ?? ofOthers,
  };
}

/** An IPv6 address has several forms, of which sockets have one: RFC 5952. */
function toUsualForm(user: string): string {
  const url = isIPv6(user) ? URL.parse(`http://[${user}]`) : null; // null also of one with a zone
  return url ? url.hostname.slice(1, -1) : user;
}

function parseClasses(file: string, text: string): z.infer<typeof ClassesSchema> {
  const parsed = parseYaml(text, ClassesSchema);
  return parsed.kind === 'valid' ? parsed.value : refuse(listIssues(file, parsed.issues));
}

function refuse(faults: string): never {
  throw new AppError('invalid-input', `${faults}. Write for each class: gold: { weight: 50, users: [198.19.1.1] }`);
}

/** The private key of a file, which is made if there is none. Throws `invalid-input` for another kind of key, and one that others can read. */
async function readTlsKey(file: string): Promise<LeafCertificates> {
  await makeIfMissing(file);
  const pem = await readTextFile(file, 'name a file with --tls-key');
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) {
    throw new AppError('invalid-input', `Other users of this machine can read ${file}. Run: chmod 600 ${file}`);
  }
  try {
    return await LeafCertificates.open(pem);
  } catch (error) {
    const advice = 'Name a file that does not exist, and one is made';
    throw new AppError('invalid-input', `${file} has no private key on the curve P-256, in PEM. ${advice}`, {
      cause: error,
    });
  }
}

async function makeIfMissing(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  try {
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return;
    throw new AppError(
      'invalid-input',
      `${file} cannot be written (${(error as Error).message}): name a file with --tls-key`,
      {
        cause: error,
      },
    );
  }
}

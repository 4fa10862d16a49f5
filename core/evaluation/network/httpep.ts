import { z } from 'zod';
import { NameSchema } from '../name.ts';
import type { WordsOf } from '../setting-words.ts';
import { wholeNumber } from '../units.ts';

export const httpepCodings = ['brotli', 'zstd', 'none'] as const;
export const httpepImageFormats = ['jpeg', 'webp', 'none'] as const;
export const httpepTls = ['untouched', 'terminate'] as const;
export const httpepSchedulers = ['fair', 'turns', 'least-service-first', 'round-robin', 'fifo'] as const;

/** The part of the link's rate that HTTPEP sends at: what is above would wait in the link's queue. */
export const paceRatioBounds = { min: 0.5, max: 1 } as const;
export const defaultPaceRatio = 0.97;

/** An address with a port, an IPv6 address in brackets. */
export const EndpointSchema = z
  .string({ error: 'must be an address with a port, such as 198.19.0.2:3128' })
  .max(60, 'must have at most 60 characters')
  .refine(isEndpoint, 'must be an address with a port, such as 198.19.0.2:3128');

function isEndpoint(text: string): boolean {
  const [, ipv6, ipv4, port] = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? [];
  const address = ipv6 === undefined ? z.ipv4().safeParse(ipv4) : z.ipv6().safeParse(ipv6);
  return address.success && Number(port) >= 1 && Number(port) <= 65_535;
}

const rateWords = 'must be a rate in kb/s, or auto';
export const HttpepRateSchema = z.union(
  [
    z.number().min(1, 'must be at least 1').max(10_000_000, 'must be at most 10000000'),
    z.literal('auto', { error: rateWords }),
  ],
  { error: rateWords },
);
export type HttpepRate = z.infer<typeof HttpepRateSchema>;

const networkKinds = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];

export const NetworkAddressSchema = z
  .string({ error: 'must be an address or a network, such as 198.19.0.0/16' })
  .max(60, 'must have at most 60 characters')
  .refine(
    (text) => networkKinds.some((kind) => kind.safeParse(text).success),
    'must be an address or a network, such as 198.19.0.0/16',
  );

const placeSchema = (host: string, address: string) =>
  z
    .strictObject({
      host: NameSchema.default(host).describe('The Agent that runs it.'),
      address: EndpointSchema.default(address).describe('Where it listens.'),
    })
    .prefault({});

/** HTTPEP, the split proxy, between the users of a Scenario and the origins: docs/httpep.md. HTTP-AE starts both ends for each Round. */
export const HttpepSchema = z.strictObject({
  connections: wholeNumber({ min: 1, max: 16 })
    .default(4)
    .describe('TCP connections of the tunnel between the two ends.'),
  scheduler: z
    .enum(httpepSchedulers, { error: `must be one of ${httpepSchedulers.join(', ')}` })
    .default('fair')
    .describe('Who is served next. `fifo` is that of the papers.'),
  classes: z
    .record(
      NameSchema,
      z.number({ error: 'must be a weight, such as 50' }).positive('must be above 0').max(1000, 'must be at most 1000'),
    )
    .refine((classes) => Object.keys(classes).length > 0, 'must name at least one user class')
    .optional()
    .describe(
      'Weight by user class, such as `{ gold: 50, bronze: 20 }`. Each User Agent needs a `sourceAddress` then.',
    ),
  rateKbps: HttpepRateSchema.optional().describe(
    'Rate of the link to the users. `auto`: estimated by what arrives. Without it, that of the emulated link, or `auto` if it varies.',
  ),
  paceRatio: z
    .number({ error: 'must be a share of the rate, such as 0.97' })
    .min(paceRatioBounds.min, `must be at least ${paceRatioBounds.min}`)
    .max(paceRatioBounds.max, `must be at most ${paceRatioBounds.max}`)
    .default(defaultPaceRatio)
    .describe('The ground end sends at this share of the rate. More leaves less room, and the queue is at the link.'),
  bundling: z
    .boolean({ error: 'must be true or false' })
    .default(true)
    .describe('Whether the ground end fetches ahead what pages need.'),
  text: z
    .enum(httpepCodings, { error: `must be one of ${httpepCodings.join(', ')}` })
    .default('brotli')
    .describe('How text is compressed in the tunnel. The browser gets the bytes of the origin.'),
  images: z
    .enum(httpepImageFormats, { error: `must be one of ${httpepImageFormats.join(', ')}` })
    .default('none')
    .describe('Images are recompressed to this format, **with a loss**, where that is shorter.'),
  imageQuality: wholeNumber({ min: 1, max: 100 })
    .default(50)
    .describe('The quality of recompressed images. The papers have 50.'),
  tls: z
    .enum(httpepTls, { error: `must be one of ${httpepTls.join(', ')}` })
    .default('untouched')
    .describe(
      'What becomes of HTTPS. `terminate`: HTTPEP **reads what is encrypted** and handles it as HTTP. The browsers of this Scenario trust a key that HTTP-AE draws for each Round.',
    ),
  ground: placeSchema('ground', '198.19.0.1:9000').describe('The end near the origins.'),
  remote: placeSchema('remote', '198.19.0.2:3128').describe('The end near the users, which is their proxy.'),
  clients: z
    .array(NetworkAddressSchema)
    .min(1, 'must name at least one')
    .max(64, 'must have at most 64')
    .default(['198.19.0.0/16'])
    .describe('Who may use the proxy.'),
});
export type Httpep = z.infer<typeof HttpepSchema>;

export const httpepWords: WordsOf<Omit<Httpep, 'classes' | 'ground' | 'remote' | 'clients'>> = {
  connections: { label: 'Connections of the tunnel' },
  scheduler: {
    label: 'Who is served next',
    choices: { turns: 'turns: one load after another', fifo: 'fifo: as in the papers' },
  },
  rateKbps: { label: 'Rate', unit: 'kb/s', byDefault: 'that of the link, or auto' },
  paceRatio: { label: 'Paced at', unit: '% of the rate', scale: 100 },
  text: { label: 'Text in the tunnel' },
  images: {
    label: 'Images',
    choices: { jpeg: 'jpeg, with a loss', webp: 'webp, with a loss', none: 'as they are' },
  },
  imageQuality: { label: 'Quality of images' },
  tls: { label: 'HTTPS', choices: { untouched: 'passes as it is', terminate: 'HTTPEP reads it' } },
  bundling: { label: 'Fetch ahead what pages need' },
};

import { isIP } from 'node:net';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { wholeNumber } from '#core/evaluation/units.ts';
import { maximumImageBytes, minimumImageBytes } from './objects/object-numbers.ts';
import { listenerNames, type ListenerName } from './listeners.ts';

const Port = wholeNumber({ min: 0, max: 65_535 });

export const OriginOptionsSchema = z.strictObject({
  /** The address that all listeners are bound to, and that the URLs name. */
  host: z
    .string()
    .refine(
      (host) => isIP(host) !== 0 && !['0.0.0.0', '::'].includes(host),
      'must be one IP address of this machine, such as 127.0.0.1',
    )
    .default('127.0.0.1'),
  /** A second address of this machine, at which the same ports serve the same. */
  ipv6Host: z.ipv6('must be an IPv6 address of this machine, such as ::1').optional(),
  /** A port that is not named, or 0, is a free one. */
  ports: z
    .strictObject(
      Object.fromEntries(listenerNames.map((name) => [name, Port.optional()])) as Record<
        ListenerName,
        z.ZodOptional<typeof Port>
      >,
    )
    .default({}),
  /** Four, or one for each setting that a study compares. */
  listeners: z.enum(['basic', 'all']).default('basic'),
  /** Whether a front serves HTTP/1.1, HTTP/2 and HTTP/3 beside them. It needs the program `caddy`. */
  http3: z.boolean().default(false),
  /** Keeps the certification authority between starts; without it each start has a new one, in memory. */
  authorityFolder: z.string().min(1).optional(),
  /** JPEG files to serve instead of generated images. */
  imagesFolder: z.string().min(1).optional(),
  /** The sizes of images that are made at the start, so that no page waits for them. */
  imageSizes: z
    .array(wholeNumber({ min: minimumImageBytes, max: maximumImageBytes }))
    .max(16)
    .default([]),
  /** What the generated images are made from. */
  seed: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(1),
});

export type OriginOptions = z.input<typeof OriginOptionsSchema>;

/** Throws `invalid-input` that names each option and what is wrong with it. */
export function parseOriginOptions(options: unknown): z.output<typeof OriginOptionsSchema> {
  const result = OriginOptionsSchema.safeParse(options);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(' '));
  throw new AppError('invalid-input', `The origin's options are invalid: ${faults.join('; ')}`);
}

import { z } from 'zod';
import {
  defaultPaceRatio,
  EndpointSchema,
  httpepCodings,
  httpepImageFormats,
  HttpepRateSchema,
  httpepSchedulers,
  NetworkAddressSchema,
  paceRatioBounds,
} from '../evaluation/network/httpep.ts';
import { NameSchema } from '../evaluation/name.ts';
import { PublicKeySchema } from '../evaluation/browser/trusted-keys.ts';
import { SourceAddressSchema } from '../evaluation/users/user-identity.ts';

const common = {
  listen: EndpointSchema,
  /** Of both ends, drawn for each Round. */
  key: z.string().regex(/^[\w+/=-]{32,200}$/),
};

/** One end of HTTPEP that an Agent is to run. */
export const HttpepEndSchema = z.discriminatedUnion('end', [
  z.strictObject({
    end: z.literal('ground'),
    ...common,
    /** Of the link to the remote end; null for no limit. */
    rateKbps: HttpepRateSchema.nullable(),
    /** The part of the rate that it sends at. */
    paceRatio: z.number().min(paceRatioBounds.min).max(paceRatioBounds.max).default(defaultPaceRatio),
    scheduler: z.enum(httpepSchedulers),
    bundling: z.boolean(),
    text: z.enum(httpepCodings),
    images: z.enum(httpepImageFormats),
    imageQuality: z.int().min(1).max(100),
    /** Of origins without a known authority. */
    trustedKeys: z.array(PublicKeySchema).max(64),
    /** Of the browsers, in CSS pixels. */
    viewport: z.object({ widthPx: z.int().min(1).max(10_000), heightPx: z.int().min(1).max(10_000) }),
    classes: z
      .record(
        NameSchema,
        z.strictObject({ weight: z.number().positive().max(1000), users: z.array(SourceAddressSchema).max(1000) }),
      )
      .nullable(),
  }),
  z.strictObject({
    end: z.literal('remote'),
    ...common,
    ground: EndpointSchema,
    connections: z.int().min(1).max(16),
    clients: z.array(NetworkAddressSchema).min(1).max(64),
    /** The private key with which it ends TLS, in PEM; null: TLS passes untouched. */
    tlsKey: z.string().startsWith('-----BEGIN PRIVATE KEY-----').max(1000).nullable(),
  }),
]);
export type HttpepEnd = z.infer<typeof HttpepEndSchema>;

import { z } from 'zod';
import { NameSchema } from './name.ts';
import { NetworkSchema } from './network.ts';
import { durationMs } from './units.ts';

/** A script that the Agent of a host runs with `sh -e`, where that Agent's operator allowed scripts. */
export const ScriptSchema = z.strictObject({
  host: NameSchema,
  script: z.string({ error: 'must be a shell script' }).min(1, 'must not be empty').max(100_000, 'must have at most 100 000 characters'),
  timeoutMs: durationMs({ min: 100, max: 3_600_000 }).default(60_000),
});

const ProxySchema = z.string({ error: 'must be a proxy address' }).superRefine((text, context) => {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (!parsed || !['http:', 'https:', 'socks4:', 'socks5:'].includes(parsed.protocol) || !parsed.hostname) {
    context.addIssue(`${JSON.stringify(text)} is not a proxy address: write "http://host:port" or "socks5://host:port"`);
  }
});

/** Flags that would let a Scenario reach outside of what is measured. */
const refusedFlags = /^--(user-data-dir|remote-debugging|load-extension|disable-extensions-except|renderer-cmd-prefix|utility-cmd-prefix|gpu-launcher|browser-subprocess-path|no-sandbox|ppapi|log-file|enable-logging|crash-dumps-dir|disk-cache-dir)/;

/** How the browser is set in one Scenario. */
export const BrowserSettingsSchema = z.strictObject({
  proxy: ProxySchema.optional(),
  /** Command-line switches of the browser, such as `--disable-http2`. */
  flags: z
    .array(
      z
        .string()
        .regex(/^--[a-z0-9][\w-]*(=[^\n\0]*)?$/i, 'must be a browser switch such as "--disable-http2"')
        .refine((flag) => !refusedFlags.test(flag), 'is not allowed: it would reach outside of the browser that is measured'),
    )
    .max(64)
    .default([]),
  /** Base64 SHA-256 of public keys to trust without a chain to a known authority: for origins with a certificate of their own. */
  trustedKeys: z
    .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the base64 SHA-256 of a public key'))
    .max(64)
    .default([]),
});

/** The conditions of one arm of the comparison. */
export const ScenarioSchema = z.strictObject({
  name: NameSchema,
  description: z.string().max(4000).default(''),
  baseline: z.boolean({ error: 'must be true or false' }).default(false),
  browser: BrowserSettingsSchema.prefault({}),
  network: NetworkSchema.optional(),
  setUp: z.array(ScriptSchema).max(32).default([]),
  tearDown: z.array(ScriptSchema).max(32).default([]),
});

export type Script = z.infer<typeof ScriptSchema>;
export type BrowserSettings = z.infer<typeof BrowserSettingsSchema>;
export type Scenario = z.infer<typeof ScenarioSchema>;

import { z } from 'zod';
import { cacheWords, CacheModeSchema } from '../pages/page-load.ts';
import type { SettingWords } from '../setting-words.ts';
import type { Engine } from '../users/user-agent.ts';
import { wholeNumber } from '../units.ts';
import { TrustedKeysSchema } from './trusted-keys.ts';

const proxySchemes = ['http:', 'https:', 'socks4:', 'socks5:'];

const ProxySchema = z.string({ error: 'must be a proxy address' }).superRefine((text, context) => {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (!parsed || !proxySchemes.includes(parsed.protocol) || !parsed.hostname) {
    context.addIssue(
      `${JSON.stringify(text)} is not a proxy address: write "http://host:port", "https://host:port", "socks4://host:port" or "socks5://host:port"`,
    );
  } else if (parsed.username || parsed.password) {
    context.addIssue(
      'must not have a user name or password: browsers do not send it, and it would be stored and shown in reports',
    );
  } else if (!['', '/'].includes(parsed.pathname) || parsed.search || parsed.hash) {
    context.addIssue(
      `${JSON.stringify(text)} has more than a host and a port: to choose the proxy with a script, use "pac"`,
    );
  }
});

/** Of a script in UTF-8: it is handed to Chrome on its command line, whose arguments Linux limits to 128 KiB. */
const maximumPacBytes = 64 * 1024;

/** Flags that would let a Scenario reach outside of what is measured. */
const refusedFlags = startingWith([
  'user-data-dir',
  'remote-debugging',
  'load-extension',
  'disable-extensions-except',
  'pack-extension',
  // What keeps a measured page in its process.
  '[a-z-]*sandbox',
  'single-process',
  'in-process-gpu',
  'no-zygote',
  'disable-seccomp',
  // Programs to run.
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'zygote-cmd-prefix',
  'gpu-launcher',
  'browser-subprocess-path',
  'ppapi',
  // Files to write, wherever the Agent may; those of V8 write some too.
  'log-file',
  'enable-logging',
  'log-net-log',
  'ssl-key-log-file',
  'webrtc-event-log',
  'export-uma-logs',
  'crash-dumps-dir',
  'disk-cache-dir',
  'media-cache-dir',
  'trace-',
  'enable-tracing',
  'perfetto',
  'profiling-',
  'print-to-pdf',
  'screenshot',
  'js-flags',
]);

function startingWith(names: readonly string[]): RegExp {
  return new RegExp(`^--(${names.join('|')})`, 'i');
}

/** What has a setting of its own, which other engines know too and which is checked. */
const settingOfFlag: Record<string, string> = {
  '--proxy-server': 'proxy',
  '--no-proxy-server': 'proxy',
  '--proxy-pac-url': 'pac',
  '--user-agent': 'userAgentString',
  '--window-size': 'viewport',
  '--force-device-scale-factor': 'deviceScaleRatio',
  '--ignore-certificate-errors-spki-list': 'trustedKeys',
};

/** Preferences that would do the same in Firefox. */
const refusedPrefs =
  /^(remote\.|marionette\.|devtools\.|security\.sandbox\.|browser\.cache\.disk\.parent_directory|extensions\.|xpinstall\.|app\.update\.|browser\.download\.dir|logging\.|print[._]|media\.webrtc\.debug\.)/;

/** Kinds of requests that can be blocked, as a page makes them. */
export const requestKinds = ['image', 'stylesheet', 'script', 'font', 'media', 'fetch', 'frame'] as const;
export type RequestKind = (typeof requestKinds)[number];

export const protocolNames = ['http/1.0', 'http/1.1', 'h2', 'h3'] as const;
export type ProtocolName = (typeof protocolNames)[number];

/** How the browser is set in one Scenario. */
export const BrowserSettingsSchema = z
  .strictObject({
    proxy: ProxySchema.optional().describe(
      'The proxy for all requests: `http://host:port`, `https://…`, `socks4://…` or `socks5://…`.',
    ),
    pac: z
      .string({ error: 'must be a script' })
      .regex(/FindProxyForURL/, 'must be a script with a function FindProxyForURL(url, host)')
      .refine((script) => new TextEncoder().encode(script).length <= maximumPacBytes, 'must have at most 64 KiB')
      .optional()
      .describe('The text of a proxy auto-configuration script, instead of `proxy`.'),
    flags: z
      .array(
        z
          .string()
          .regex(/^--[a-z0-9][\w-]*(=[^\n\0]*)?$/i, 'must be a browser switch such as "--disable-http2"')
          .refine((flag) => !refusedFlags.test(flag), 'is not allowed: it would reach outside the measured browser')
          .superRefine((flag, context) => {
            const setting = settingOfFlag[flag.split('=')[0]!];
            if (setting !== undefined) context.addIssue(`has a setting of its own: use "${setting}"`);
          }),
      )
      .max(64, 'must have at most 64 switches')
      .default([])
      .describe('Command-line switches of Chrome, such as `--disable-http2`.'),
    prefs: z
      .record(
        z
          .string()
          .regex(/^[\w.-]{1,256}$/, 'must be the name of a preference, such as "network.http.http2.enabled"')
          .refine((name) => !refusedPrefs.test(name), 'is not allowed: it would reach outside the measured browser'),
        z.union([z.boolean(), z.int(), z.string().max(4096, 'must have at most 4096 characters')], {
          error: 'must be true, false, a whole number or a text',
        }),
      )
      .default({})
      .describe('Firefox preferences, such as `network.http.http2.enabled: false`.'),
    protocols: z
      .array(z.enum(protocolNames, { error: 'must be "http/1.0", "http/1.1", "h2" or "h3"' }))
      .min(1, 'must have at least one protocol')
      .max(protocolNames.length, `must have at most ${protocolNames.length} protocols`)
      .optional()
      .describe(
        'The HTTP versions that may be used. Without it, the engine decides. In browsers, `[h2]` and `[h3]` fail a Visit with an object of its URL’s origins by another version. With `[http/1.1, h2, h3]`, they learn of HTTP/3 from an answer, as those of users do.',
      ),
    connectionsPerOrigin: wholeNumber({ min: 1, max: 32 })
      .optional()
      .describe('The most HTTP/1 connections to one origin at a time.'),
    pipeliningDepth: wholeNumber({ min: 1, max: 64 })
      .optional()
      .describe('The most unanswered requests on one HTTP/1.1 connection. 1: no pipelining.'),
    http2Streams: wholeNumber({ min: 1, max: 1000 })
      .optional()
      .describe('The most open streams on one HTTP/2 connection.'),
    userAgentString: z
      .string()
      .min(1, 'must not be empty')
      .max(1024, 'must have at most 1024 characters')
      .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII text')
      .optional()
      .describe('The `User-Agent` header, instead of the engine’s own.'),
    blockedRequests: z
      .array(
        z.enum(requestKinds, {
          error: 'must be "image", "stylesheet", "script", "font", "media", "fetch" or "frame"',
        }),
      )
      .min(1, 'must have at least one kind')
      .max(requestKinds.length, `must have at most ${requestKinds.length} kinds`)
      .optional()
      .describe('Kinds of requests that the browser does not send. `fetch` includes XMLHttpRequest.'),
    cache: CacheModeSchema.optional().describe('Cache and connections, instead of `pageLoad.cache`.'),
    viewport: z
      .strictObject({
        widthPx: wholeNumber({ min: 200, max: 7680 }).describe('Its width.'),
        heightPx: wholeNumber({ min: 200, max: 4320 }).describe('Its height.'),
      })
      .optional()
      .describe('The viewport, instead of `pageLoad.viewport`.'),
    deviceScaleRatio: z
      .number()
      .min(0.25, 'must be at least 0.25')
      .max(8, 'must be at most 8')
      .optional()
      .describe('Device pixels for one CSS pixel. Without it, 1.'),
    trustedKeys: TrustedKeysSchema,
  })
  .refine(({ proxy, pac }) => proxy === undefined || pac === undefined, {
    path: ['pac'],
    error: 'cannot be used with "proxy": the script chooses the proxy',
  });

export type BrowserSettings = z.infer<typeof BrowserSettingsSchema>;

const byDefault = 'browser default';
const all = ['chrome', 'firefox', 'http', 'extension'] as const;

/** `engines`: which obey it. The extension: in the browser of a person or of an Agent, at least one of them. */
export const browserWords: {
  [Name in keyof Required<BrowserSettings>]: SettingWords<NonNullable<BrowserSettings[Name]>> & {
    engines: readonly Engine[];
  };
} = {
  protocols: { label: 'HTTP versions', byDefault, engines: all },
  proxy: { label: 'Proxy', byDefault: 'none', example: 'http://host:port', engines: all },
  pac: {
    label: 'Proxy auto-configuration script (PAC)',
    byDefault: 'none',
    engines: ['chrome', 'firefox', 'extension'],
  },
  connectionsPerOrigin: { label: 'Connections per origin', byDefault, engines: ['firefox', 'http', 'extension'] },
  pipeliningDepth: { label: 'Pipelining depth', byDefault: '1 (no pipelining)', engines: ['http'] },
  http2Streams: { label: 'HTTP/2 streams', byDefault, engines: ['http'] },
  cache: { ...cacheWords, byDefault: 'as in Repetition', engines: all },
  viewport: {
    label: 'Viewport',
    byDefault: 'as in Page load',
    show: ({ widthPx, heightPx }) => `${widthPx} × ${heightPx} px`,
    engines: all,
  },
  deviceScaleRatio: { label: 'Device pixel ratio', byDefault: '1', engines: all },
  blockedRequests: { label: 'Blocked requests', byDefault: 'none', engines: ['extension'] },
  userAgentString: { label: 'User-Agent header', byDefault, engines: all },
  flags: {
    label: 'Chrome switches',
    example: '--disable-http2',
    help: 'One per line.',
    engines: ['chrome', 'extension'],
  },
  prefs: {
    label: 'Firefox preferences',
    example: 'network.http.http2.enabled: false',
    help: 'One per line.',
    engines: ['firefox', 'extension'],
  },
  trustedKeys: {
    label: 'Trusted certificate keys',
    byDefault: 'none',
    help: 'Base64 SHA-256 of each public key, one per line; “testbed” for the origin of a testbed.',
    engines: all,
  },
};

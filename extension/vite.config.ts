import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';
import { writeClockScripts } from './clock-scripts.ts';

/** The browsers that the one source is built for. Edge takes what is built for Chrome. */
const targets = ['chrome', 'firefox'] as const;
type Target = (typeof targets)[number];

const root = import.meta.dirname;

/** One target per mode: `vite build --config extension/vite.config.ts --mode chrome`. */
export default defineConfig(({ mode }) => ({
  root,
  base: './',
  plugins: [refuseEval(), addManifest(readTarget(mode))],
  build: {
    outDir: path.join('dist', mode),
    emptyOutDir: true,
    target: 'es2024',
    minify: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: {
        background: path.join(root, 'background/background.ts'),
        ...Object.fromEntries(
          ['popup', 'options', 'keeper'].map((page) => [page, path.join(root, page, `${page}.html`)]),
        ),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name].js',
        assetFileNames: 'parts/[name][extname]',
      },
    },
  },
}));

function readTarget(mode: string): Target {
  const target = targets.find((each) => each === mode);
  if (!target) throw new Error(`There is no extension for "${mode}": choose by --mode ${targets.join(' or --mode ')}`);
  return target;
}

/** The manifest, and what has to be a script of its own: the probe, and what replayed pages run. */
function addManifest(target: Target): Plugin {
  return {
    name: 'http-ae-extension',
    generateBundle() {
      const { version } = JSON.parse(readFileSync(path.join(root, '../package.json'), 'utf8')) as { version: string };
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.json',
        source: JSON.stringify(describeManifest(target, version), null, 2),
      });
      this.emitFile({
        type: 'asset',
        fileName: 'page-probe.js',
        source: readFileSync(path.join(root, '../probe/dist/page-probe.js')),
      });
      for (const [fileName, source] of writeClockScripts()) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/**
 * zod compiles its parsers with `new Function` where it may. The content security policy of extensions forbids that, and those who check extensions
 * ask about every place that tries: here it is refused at once, and does without.
 */
function refuseEval(): Plugin {
  const attempt = 'const F = Function;';
  return {
    name: 'http-ae-refuse-eval',
    transform(code, id) {
      if (!/\/zod\/v4\/core\/(util|doc)\.js$/.test(id)) return null;
      if (!code.includes(attempt))
        throw new Error(`zod compiles its parsers in another way now: look for "Function" in ${id}`);
      return code.replaceAll(
        attempt,
        "const F = class { constructor() { throw new Error('An extension compiles no code'); } };",
      );
    },
  };
}

/** https://developer.chrome.com/docs/extensions/reference/manifest, https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json */
function describeManifest(target: Target, version: string): object {
  return {
    manifest_version: 3,
    name: 'HTTP-AE',
    version,
    description:
      'A User Agent of an HTTP-AE Controller. Measures how web pages load: only those that the Controller orders, in its own windows.',
    permissions: [
      'alarms',
      'browsingData',
      'declarativeNetRequestWithHostAccess',
      'downloads',
      'scripting',
      'storage',
      'unlimitedStorage',
      'webNavigation',
      'webRequest',
      'webRequestAuthProvider',
      ...(target === 'chrome' ? ['offscreen', 'pageCapture', 'proxy'] : ['contextualIdentities', 'cookies']),
    ],
    // Chrome does not let it be optional.
    ...(target === 'firefox' && { optional_permissions: ['proxy'] }),
    host_permissions: ['<all_urls>'],
    action: { default_popup: 'popup/popup.html', default_title: 'HTTP-AE' },
    options_ui: { page: 'options/options.html', open_in_tab: true },
    icons: { 32: 'icons/32.png', 48: 'icons/48.png', 128: 'icons/128.png' },
    // Firefox would make wss: of the ws: of a Controller in the laboratory.
    content_security_policy: { extension_pages: "script-src 'self'; object-src 'none'" },
    ...(target === 'chrome' ? describeForChrome() : describeForFirefox()),
  };
}

function describeForChrome(): object {
  return {
    background: { service_worker: 'background.js', type: 'module' },
    incognito: 'spanning',
    minimum_chrome_version: '125',
  };
}

function describeForFirefox(): object {
  return {
    background: { scripts: ['background.js'], type: 'module' },
    browser_specific_settings: {
      gecko: {
        id: 'http-ae@extension',
        strict_min_version: '142.0',
        // Nothing of the person's own browsing is looked at: https://extensionworkshop.com/documentation/develop/firefox-builtin-data-consent/
        data_collection_permissions: { required: ['none'] },
      },
    },
  };
}

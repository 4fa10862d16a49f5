/** The browsers that the one source is built for. Edge takes what is built for Chrome. */
export const targets = ['chrome', 'firefox'] as const;
export type Target = (typeof targets)[number];

/** https://developer.chrome.com/docs/extensions/reference/manifest, https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json */
export function describeManifest(target: Target, version: string): object {
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

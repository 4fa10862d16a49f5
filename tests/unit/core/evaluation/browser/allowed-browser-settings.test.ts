import { describe, expect, it } from 'vitest';
import { findRefusedSettings } from '#core/evaluation/browser/allowed-browser-settings.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { listSettingsOfStartedExtension } from '#core/evaluation/browser/engine-settings.ts';
import { type Engine } from '#core/evaluation/users/user-agent.ts';

describe('what an Agent lets a Scenario set by itself', () => {
  const refused = (settings: object, engine: Engine, obeyed?: string[]) =>
    findRefusedSettings(BrowserSettingsSchema.parse(settings), { engine, settings: obeyed });

  it.each([
    'network.negotiate-auth.gsslib',
    'network.negotiate-auth.trusted-uris',
    'network.automatic-ntlm-auth.trusted-uris',
    'network.proxy.autoconfig_url',
    'network.protocol-handler.external.x',
    'network.file.path_blacklist',
    'media.gmp-manager.url',
    'media.gmp-gmpopenh264.abi',
    'browser.helperApps.neverAsk.saveToDisk',
    'general.config.filename',
    'autoadmin.global_config_url',
    'browser.download.folderList',
    'gfx.color_management.display_profile',
    'security.enterprise_roots.enabled',
    'security.turn_off_all_security_so_that_viruses_can_take_over_this_computer',
    'browser.startup.homepage',
    'dom.push.serverURL',
    'dom.filesystem.pathcheck.disabled',
    'services.settings.server',
    'network.http',
    'xnetwork.http.x',
    'network.http.http3.enable_qlog',
    'network.http.windows-sso.enabled',
    'network.http.microsoft-entra-sso.enabled',
    'permissions.default.camera',
    'permissions.default.geo',
    'dom.indexedDB.testing.allowContentSystem',
    'dom.enable_performance_observer',
    'layout.dynamic-toolbar-max-height',
    'javascript.enabled',
  ])('is not %s', (name) => expect(refused({ prefs: { [name]: '/tmp/x' } }, 'firefox')).toEqual([name]));

  it.each([
    'network.http.max-connections',
    'network.trr.mode',
    'network.proxy.socks_remote_dns',
    'permissions.default.image',
    'javascript.options.wasm',
    'browser.cache.disk.enable',
    'media.autoplay.default',
    'privacy.trackingprotection.enabled',
    'security.tls.version.max',
    'dom.image-lazy-loading.enabled',
  ])('is %s', (name) => expect(refused({ prefs: { [name]: 1 } }, 'firefox')).toEqual([]));

  it('is likewise of switches of Chrome, in any case of letters, and of no other engine', () => {
    const flags = [
      '--breakpad-dump-location=/tmp/x',
      '--Auth-Server-Allowlist=*',
      '--gssapi-library-name=/tmp/x.so',
      '--vaapi=/tmp/x',
      '--homepage=http://x/',
      '--no-http2',
      '--register-pepper-plugins=/x',
    ];
    expect(
      refused({ flags: [...flags, '--disable-http2', '--BLINK-settings=imagesEnabled=false', '--lang=en'] }, 'chrome'),
    ).toEqual(flags.map((flag) => flag.split('=')[0]));
    expect(refused({ flags, prefs: { 'network.negotiate-auth.gsslib': '/x' } }, 'http')).toEqual([]);
  });

  it('is, of the extension, what its browser would obey; of one that is not known, both', () => {
    const settings = { flags: ['--homepage=http://x/'], prefs: { 'network.negotiate-auth.gsslib': '/x' } };
    const both = ['network.negotiate-auth.gsslib', '--homepage'];
    expect(refused(settings, 'extension')).toEqual(both);
    expect(refused(settings, 'extension', listSettingsOfStartedExtension('chrome'))).toEqual(['--homepage']);
    expect(refused(settings, 'extension', listSettingsOfStartedExtension('firefox'))).toEqual([both[0]]);
    expect(refused(settings, 'extension', ['proxy'])).toEqual([]);
  });

  it('is all that this program sets itself where it compares pages with and without images', () => {
    expect(refused({ prefs: { 'permissions.default.image': 2 } }, 'firefox')).toEqual([]);
    expect(refused({ flags: ['--blink-settings=imagesEnabled=false'] }, 'chrome')).toEqual([]);
  });
});

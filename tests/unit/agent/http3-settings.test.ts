import { expect, test } from 'vitest';
import { listLaunchFlags } from '#agent/engines/chrome/launch-flags.ts';
import { listPrefs } from '#agent/engines/firefox/list-prefs.ts';
import { BrowserSettingsSchema, type ProtocolName } from '#core/evaluation/browser/browser-settings.ts';

const urls = [
  'https://198.19.0.1:8460/images/1',
  'https://198.19.0.1:8460/images/2',
  'https://[::1]/',
  'http://a.test/',
];
const settings = (protocols: ProtocolName[]) => BrowserSettingsSchema.parse({ protocols });

test('Chrome is held to HTTP/3 at the origins over TLS, each once, and at none else', () => {
  const flags = listLaunchFlags(settings(['h3']), { isRoot: false, urls });
  expect(flags).toContain('--origin-to-force-quic-on=198.19.0.1:8460,[::1]:443');
  expect(flags).not.toContain('--disable-quic');
  expect(flags).not.toContain('--disable-http2');
  expect(listLaunchFlags(settings(['h2']), { isRoot: false, urls })).toContain('--disable-quic');
});

test('with other versions beside it, HTTP/3 is used where an answer offers it', () => {
  const all = settings(['http/1.1', 'h2', 'h3']);
  const flags = listLaunchFlags(all, { isRoot: false, urls });
  expect(flags).toContain('--enable-quic');
  expect(flags.join(' ')).not.toMatch(/force-quic|disable-http2/);
  const prefs = listPrefs(all, urls);
  expect(prefs).toMatchObject({ 'network.http.http3.enable': true, 'network.http.http2.enabled': true });
  expect(Object.keys(prefs).join(' ')).not.toContain('mapping-for-testing');
});

test('Firefox likewise, at one port of a host', () => {
  const prefs = listPrefs(settings(['h3']), urls);
  expect(prefs).toMatchObject({
    'network.http.http3.enable': true,
    'network.http.http3.alt-svc-mapping-for-testing': '198.19.0.1;h3=:8460,::1;h3=:443',
  });
  expect(listPrefs(settings(['h2']), urls)['network.http.http3.enable']).toBe(false);
  expect(() => listPrefs(settings(['h3']), [...urls, 'https://198.19.0.1:8461/'])).toThrow(
    'the URLs have 198.19.0.1:8460 and 198.19.0.1:8461',
  );
});

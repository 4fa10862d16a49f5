import { AppError } from '#core/app-error.ts';
import { listOrigins } from '../browser/list-origins.ts';

/** HTTP/3 where an answer offers it. */
export const discoveryPrefs = {
  'network.http.http3.enable': true,
  // Else trusted keys of one's own would end it.
  'network.http.http3.disable_when_third_party_roots_found': false,
  // Linux gives packets that it cuts itself a wrong checksum where a rule changes their source, as for a user with an address.
  'network.http.http3.max_gso_segments': 1,
};

/** HTTP/3 at once for the origins of these URLs, without a race with TCP. Throws `invalid-input` for two ports of one host: Firefox can be sent to one. */
export function listHttp3Prefs(urls: readonly string[]): Record<string, boolean | number | string> {
  const ports = new Map<string, string>();
  for (const { hostname, port: given } of listOrigins(urls)) {
    const host = hostname.replace(/^\[|\]$/g, '');
    const port = given || '443';
    const other = ports.get(host);
    if (other !== undefined && other !== port)
      throw new AppError(
        'invalid-input',
        `Firefox can use HTTP/3 at one port of a host, and the URLs have ${host}:${other} and ${host}:${port}: give each its own User Agent`,
      );
    ports.set(host, port);
  }
  return {
    ...discoveryPrefs,
    'network.http.http3.alt-svc-mapping-for-testing': [...ports].map(([host, port]) => `${host};h3=:${port}`).join(','),
    'network.http.http3.force-use-alt-svc-mapping-for-testing': true,
    // Else a connection by TCP is opened beside one that takes 100 ms, as all do over a satellite.
    'network.http.http3.backup_timer_delay': 0,
    'network.http.http3.fallback_to_h2_on_error': false,
  };
}

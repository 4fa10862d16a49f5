const defaultPorts = { http: 80, https: 443, socks4: 1080, socks5: 1080 };

export interface ProxyAddress {
  scheme: keyof typeof defaultPorts;
  host: string;
  port: number;
}

/** Of a proxy as a Scenario names it. */
export function readProxyAddress(proxy: string): ProxyAddress {
  const { protocol, hostname, port } = new URL(proxy);
  const scheme = protocol.slice(0, -1) as ProxyAddress['scheme'];
  return {
    scheme,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? defaultPorts[scheme] : Number(port),
  };
}

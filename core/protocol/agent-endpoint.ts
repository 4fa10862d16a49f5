/** Where the Agents of a Controller connect to: `/agent` below its address, by WebSocket. Throws a TypeError when the address is none. */
export function agentEndpoint(controllerUrl: string): URL {
  const url = new URL('agent', controllerUrl.endsWith('/') ? controllerUrl : `${controllerUrl}/`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

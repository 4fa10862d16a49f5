import { startHttpProxy } from '../../support/proxies/http-proxy.ts';

/** An HTTP proxy on this address: prints its URL, and serves until it is killed. */
const proxy = await startHttpProxy(undefined, process.argv[2]);
console.log(proxy.url);

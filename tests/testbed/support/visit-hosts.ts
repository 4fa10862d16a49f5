import { once } from 'node:events';
import { Resolver, lookup } from 'node:dns/promises';
import { connect } from 'node:tls';

/** What hosts are to one that finds them by their names: `node visit-hosts.ts '{"names":["www.shop.test"],"ca":"PEM"}'`. It prints a list of what it found. */
const { names, ca } = JSON.parse(process.argv[2]!) as { names: string[]; ca: string };

async function look(name: string): Promise<unknown> {
  try {
    return (await lookup(name)).address;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** By a TLS connection that offers both; null where there is none. */
async function shake(name: string): Promise<unknown> {
  const socket = connect({ host: name, port: 443, servername: name, ca, ALPNProtocols: ['h2', 'http/1.1'] });
  try {
    await once(socket, 'secureConnect');
    return { protocol: socket.alpnProtocol, names: socket.getPeerCertificate().subjectaltname };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
}

async function fetchPlain(name: string): Promise<unknown> {
  try {
    const response = await fetch(`http://${name}/images/2?hosts=1&visit=one`);
    return { status: response.status, sources: (await response.text()).match(/src="[^?]*/g) };
  } catch (error) {
    return ((error as Error).cause as NodeJS.ErrnoException).code;
  }
}

const resolver = new Resolver({ tries: 1 });
const found = [];
for (const name of names) {
  const address = await look(name);
  const isThere = typeof address === 'string' && /^\d/.test(address);
  const ipv6 = await resolver.resolve6(name).catch((error: unknown) => (error as NodeJS.ErrnoException).code);
  found.push({ name, address, ipv6, ...(isThere && { tls: await shake(name), http: await fetchPlain(name) }) });
}
console.log(JSON.stringify(found));

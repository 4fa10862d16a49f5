import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

/** A program: tries TCP Fast Open on this machine's own address, and prints how many connections the kernel counted that began with data. */
// Perl is on every Debian, and Node cannot request it: MSG_FASTOPEN (0x20000000) connects and sends at once. Refused, it is no error here.
const client =
  'socket(my $s, PF_INET, SOCK_STREAM, 0) or die $!; send($s, "x", 0x20000000, pack_sockaddr_in($ARGV[0], inet_aton("127.0.0.1")));';

const server = createServer((socket) => socket.on('error', () => socket.destroy()).resume());
await once(server.listen(0, '127.0.0.1'), 'listening');
const port = String((server.address() as AddressInfo).port);
const earlier = readCount();
// The first one gets the cookie that the second one needs (RFC 7413, 4).
for (let connection = 0; connection < 2; connection++) execFileSync('perl', ['-MSocket', '-e', client, port]);
console.log(readCount() - earlier);
server.close();

/** Connections that others have begun with data, since this network was made. */
function readCount(): number {
  const [names, values] = readFileSync('/proc/self/net/netstat', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('TcpExt:'))
    .map((line) => line.split(' '));
  return Number(values![names!.indexOf('TCPFastOpenPassive')]);
}

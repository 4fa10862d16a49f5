import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCaptureFilter } from '#agent/capture/build-capture-filter.ts';
import { startCapture } from '#agent/capture/start-capture.ts';
import { formatAsCapinfos, readCapinfos } from '#cli/capinfo/against/read-capinfos.ts';
import { pickTsharkTcp } from '#cli/capinfo/against/read-tshark.ts';
import { readSeriesOf } from '#cli/capinfo/against/compare-captures.ts';
import { measureFile } from '#cli/capinfo/measure-file.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { openCaptureNetwork, type CaptureNetwork } from './support/capture-network.ts';
import { expectSameFigures, expectSameTcp } from './support/expect-same.ts';
import { countPackets, readTsharkByHost } from './support/tshark.ts';

const programs = ['pcap', 'tcpdump'] as const;
const downloadBytes = 2_500_000;

const stack = new AsyncDisposableStack();
let network: CaptureNetwork;
let folder: string;
let series: string;
beforeAll(async () => {
  series = (await readSeriesOf('tshark'))!;
  network = stack.use(await openCaptureNetwork());
  folder = stack.use(await makeTemporaryFolder()).path;
});
afterAll(() => stack.disposeAsync());

/** What came, of a download by one of the users. */
async function download(user: string): Promise<number> {
  const request = http.get({
    host: network.server.address,
    port: network.server.httpPort,
    path: `/${downloadBytes}`,
    localAddress: user,
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

/** Talks to the control channel, from the first user's address, as long as `during` takes. */
async function chatDuring(during: Promise<unknown>): Promise<number> {
  const socket = net.connect({
    host: network.server.address,
    port: network.server.controlPort,
    localAddress: network.users[0],
  });
  let words = 0;
  let isOver = false;
  void during.then(() => (isOver = true));
  while (!isOver) {
    socket.write('x'.repeat(1000));
    await once(socket, 'data');
    words++;
  }
  socket.destroy();
  return words;
}

test.for(programs)(
  '%s: of two loaded User Agents, one is captured: nothing of the other, nothing of the control channel, nothing dropped',
  async (program) => {
    const [user, other] = network.users;
    const file = path.join(folder, `loaded-${program}.pcap`);
    const filter = buildCaptureFilter({
      addresses: [user],
      excluded: [{ address: network.server.address, port: network.server.controlPort }],
    });
    await using capture = await startCapture({
      interface: network.interface,
      filter,
      file,
      localAddresses: [user],
      programs: [program],
    });
    const downloads = Promise.all([download(user), download(other)]);
    const words = await chatDuring(downloads);
    expect(await downloads).toEqual([downloadBytes, downloadBytes]);
    expect(words).toBeGreaterThan(10);
    const { statistics, droppedByKernel, droppedByInterface, isLimited, fileBytes } = await capture.stop();

    expect({ droppedByKernel, droppedByInterface, isLimited }).toEqual({
      droppedByKernel: 0,
      droppedByInterface: 0,
      isLimited: false,
    });
    expect(await countPackets(file, `!(ip.addr == ${user} || arp)`)).toBe(0);
    expect(await countPackets(file, `ip.addr == ${other} || tcp.port == ${network.server.controlPort}`)).toBe(0);
    expect(statistics.damage).toBeNull();
    expect(statistics.tcp).toMatchObject({ connections: 1, opened: 1 });
    expect(statistics.directions!.received.bytes).toBeGreaterThan(downloadBytes);
    // What is reported live is what the archived file says, to us and to others.
    expect(await measureFile(file, [user])).toEqual(statistics);
    expectSameFigures(new Map([[file, formatAsCapinfos(statistics)]]), await readCapinfos([file]), series);
    expectSameTcp(
      [{ name: user, ours: pickTsharkTcp(statistics.tcp!), theirs: (await readTsharkByHost(file)).get(user) }],
      series,
    );
    expect(fileBytes).toBe((await readFile(file)).length);
  },
);

test.for(['tcpdump'] as const)('%s: what is on its way when the capture is stopped is in the file', async (program) => {
  const file = path.join(folder, `tail-${program}.pcap`);
  await using capture = await startCapture({
    interface: network.interface,
    filter: 'udp',
    file,
    localAddresses: [],
    programs: [program],
  });
  const socket = createSocket('udp4');
  const sendOne = () =>
    new Promise<void>((resolve, reject) =>
      socket.send('datagram', network.server.discardPort, network.server.address, (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  for (let count = 0; count < 1000; count++) await sendOne();
  const { statistics } = await capture.stop();
  socket.close();
  expect(statistics.udp).toEqual({ packets: 1000, flows: 1, quicFlows: 0 });
});

test('what the network loses is seen as tshark sees it', async () => {
  const [user] = network.users;
  await network.lose(2);
  const file = path.join(folder, 'lossy.pcap');
  await using capture = await startCapture({
    interface: network.interface,
    filter: buildCaptureFilter({ addresses: [user] }),
    file,
    localAddresses: [user],
  });
  expect(await download(user)).toBe(downloadBytes);
  const { statistics } = await capture.stop();
  // 1800 segments or more, of which at least ten are lost but once in a million times.
  expect(Math.min(statistics.tcp!.retransmissions, statistics.tcp!.duplicateAcks)).toBeGreaterThan(10);
  expectSameTcp(
    [{ name: user, ours: pickTsharkTcp(statistics.tcp!), theirs: (await readTsharkByHost(file)).get(user) }],
    series,
  );
  expectSameFigures(new Map([[file, formatAsCapinfos(statistics)]]), await readCapinfos([file]), series);
});

test.for(['TLSv1.3', 'TLSv1.2'] as const)('the hellos of %s are read as both ends know them', async (version) => {
  const authority = await createAuthority(Date.now());
  const certificate = await issueCertificate(authority, { hosts: ['localhost'], nowEpochMs: Date.now() });
  const server = tls
    .createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'], maxVersion: version })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await using capture = await startCapture({
    interface: 'lo',
    filter: `tcp port ${port}`,
    file: path.join(folder, `${version}.pcap`),
    localAddresses: [],
    snapBytes: 4096,
  });
  const socket = tls.connect({
    port,
    host: '127.0.0.1',
    ca: authority.certificate,
    servername: 'localhost',
    ALPNProtocols: ['http/1.1', 'spdy/3'],
  });
  await once(socket, 'secureConnect');
  expect([socket.getProtocol(), socket.alpnProtocol]).toEqual([version, 'http/1.1']);
  socket.destroy();
  const { statistics } = await capture.stop();
  server.close();
  expect(statistics.connections.map((each) => each.tls)).toEqual([
    {
      version: version.replace('v', ' '),
      offeredProtocols: ['http/1.1', 'spdy/3'],
      protocol: version === 'TLSv1.3' ? null : 'http/1.1',
      isCut: false,
    },
  ]);
});

test.for(programs)('%s: no process is left when the one that captures is killed', async (program) => {
  // Nothing passes this filter, so that no packet shows the capture that nobody reads it any more.
  const filter = `ether proto ${program === 'pcap' ? 0x9001 : 0x9002}`;
  const holder = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    path.join(import.meta.dirname, 'support', 'hold-capture.ts'),
    program,
    filter,
    path.join(folder, 'held.pcap'),
  ]);
  const [word] = (await Promise.race([once(createInterface(holder.stdout), 'line'), once(holder, 'exit')])) as [
    string | number,
  ];
  expect(word).toBe('capturing');
  expect(await listProcesses(filter)).not.toEqual([]);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await expect.poll(() => listProcesses(filter), { timeout: 60_000 }).toEqual([]);
});

/** Command lines of the processes that have a text among their arguments. */
async function listProcesses(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))); // it may be gone
  return commands.filter((command) => command.includes(text));
}

test('a capture ends by itself when its file has reached the limit, and says so', async () => {
  const file = path.join(folder, 'limited.pcap');
  await using capture = await startCapture({
    interface: network.interface,
    filter: '',
    file,
    localAddresses: [],
    maximumFileBytes: 50_000,
  });
  await download(network.users[0]);
  const { isLimited, fileBytes, statistics } = await capture.stop();
  expect(isLimited).toBe(true);
  expect(fileBytes).toBeGreaterThan(50_000);
  expect(fileBytes).toBeLessThan(downloadBytes);
  expect(statistics.damage).toBeNull();
});

test.for([
  [
    'an interface that is not there',
    { interface: 'absent0' },
    'capture-unavailable',
    /absent0 cannot be captured \(pcap: .+; tcpdump: .+\): run the Agent as root/,
  ],
  [
    'a filter that is none',
    { filter: 'host and host' },
    'invalid-input',
    /"host and host" is not a filter.*pcap: .*syntax error.*tcpdump: .*syntax error/,
  ],
  [
    'a file that cannot be written',
    { file: '/absent/trace.pcap' },
    'capture-unavailable',
    /cannot be written to \/absent\/trace\.pcap/,
  ],
] as const)('%s: the capture is refused, with the reason of each program', async ([, change, code, message]) => {
  const options = { interface: 'lo', filter: '', file: path.join(folder, 'refused.pcap'), localAddresses: [] };
  await expect(startCapture({ ...options, ...change })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});

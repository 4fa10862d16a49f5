import { createSocket } from 'node:dgram';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startCapture } from '#agent/capture/start-capture.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { openCaptureNetwork } from './support/capture-network.ts';

test('what is on its way when the capture is stopped is in the file', async () => {
  await using network = await openCaptureNetwork();
  await using folder = await makeTemporaryFolder();
  await using capture = await startCapture({
    interface: network.interface,
    filter: 'udp',
    file: path.join(folder.path, 'tail.pcap'),
    localAddresses: [],
    programs: ['pcap'],
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

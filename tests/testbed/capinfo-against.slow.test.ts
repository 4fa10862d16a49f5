import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { handshake, plainShape, tracePackets } from '#tests/support/packets/measure.ts';
import { pcapBytes, pcapngBytes } from '#tests/support/packets/trace-bytes.ts';
import { readTshark } from '#cli/capinfo/against/read-tshark.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('a folder of captures is compared with capinfos and tshark, file by file', async () => {
  await using folder = await makeTemporaryFolder();
  const packets = tracePackets(handshake());
  const whole = pcapBytes(plainShape, packets);
  const inside = path.join(folder.path, 'below', '-option\tand tab.pcapng');
  await mkdir(path.dirname(inside));
  await writeFile(inside, pcapngBytes(plainShape, packets));
  await writeFile(path.join(folder.path, 'a.pcap.gz'), gzipSync(whole));
  await writeFile(path.join(folder.path, 'cut.pcap'), whole.subarray(0, 180));
  await writeFile(path.join(folder.path, 'notes.txt'), 'no capture');
  await symlink('/', path.join(folder.path, 'root'));

  const { exitCode, stdout, stderr } = await runCli(['capinfo', folder.path, '--against', 'capinfos']);
  expect(stdout).toMatch(
    /^capinfos of Wireshark \S+: 3 of 3 traces have the same figures\ntshark: 3 of 3 traces have the same counts of TCP and UDP; .*\nNot compared: read here alone 0, by capinfos alone 0, by neither 1\n$/,
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });

  const read = (name: string) => readTshark(path.join(folder.path, name));
  await expect(read('notes.txt')).rejects.toThrow(/^tshark ended with status \d+: .*notes\.txt/s);
  expect((await read('cut.pcap')).tcp.get('')!.packets).toBe(2);

  const { stdout: json } = await runCli(['capinfo', inside, '--against', 'capinfos', '--json']);
  expect(JSON.parse(json)).toEqual([{ file: inside, readBy: 'both', isCounted: true, differences: [] }]);

  const empty = path.join(folder.path, 'empty');
  await mkdir(empty);
  expect(await runCli(['capinfo', empty, '--against', 'capinfos'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`There is no file in ${empty}`) as string,
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { handshake, plainShape, startEpochNs, tracePackets } from '#tests/support/packets/measure.ts';
import { joinBytes } from '#tests/support/packets/packet-bytes.ts';
import { pcapBytes, pcapngBytes } from '#tests/support/packets/trace-bytes.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const packets = tracePackets(handshake());
const whole = pcapBytes(plainShape, packets);

async function makeFiles(folder: string, files: Record<string, Uint8Array>): Promise<string[]> {
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
  return Object.keys(files).map((name) => path.join(folder, name));
}

test('traces of either format, compressed or not, are reported alike, as one JSON array', async () => {
  await using folder = await makeTemporaryFolder();
  const files = await makeFiles(folder.path, {
    a: whole,
    b: pcapngBytes(plainShape, packets),
    c: gzipSync(whole),
    d: zstdCompressSync(whole),
  });
  const { exitCode, stdout, stderr } = await runCli(['capinfo', '--json', ...files]);
  const entries = JSON.parse(stdout) as { file: string }[];
  expect(entries.map(({ file }) => file)).toEqual(files);
  for (const entry of entries) expect({ ...entry, file: files[0] }).toEqual(entries[0]);
  expect(entries[0]).toMatchObject({
    packets: 3,
    dataBytes: 162,
    capturedBytes: 162,
    startEpochS: 1_700_000_000,
    endEpochS: 1_700_000_000.0105,
    durationS: 0.0105,
    bytesPerS: expect.closeTo(162 / 0.0105, -1) as number,
    meanPacketBytes: 54,
    tcp: { connections: 1, syn: 1, synAck: 1, fin: 0, rst: 0, retransmissions: 0 },
    directions: null,
  });
  expect(entries[0]).not.toHaveProperty('readTo');
  // Digits that a double has no room for are in the document all the same.
  expect(stdout).toContain('"endEpochS":1700000000.010500000');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('for people, it prints the digits that capinfos prints', async () => {
  await using folder = await makeTemporaryFolder();
  const [file] = await makeFiles(folder.path, { 'trace.pcap': whole });
  const { stdout } = await runCli(['capinfo', '--local', '10.0.0.1', file!]);
  for (const line of [
    /^Packets: +3$/m,
    /^Data: +162 bytes$/m,
    /^Last packet: +1700000000\.010500000 s$/m,
    /^Duration: +0\.010500000 s$/m,
    /^Byte rate: +15428\.64 bytes\/s$/m,
    /^Bit rate: +123429\.11 bits\/s$/m,
    /^Mean packet size: +54\.00 bytes$/m,
    /^Mean packet rate: +285\.72 packets\/s$/m,
    /^Sent: +2 packets, 108 bytes$/m,
  ]) {
    expect(stdout).toMatch(line);
  }
});

test('a trace that was cut off is reported with how far it was read, also inside its compression', async () => {
  await using folder = await makeTemporaryFolder();
  const files = await makeFiles(folder.path, {
    cut: whole.subarray(0, 180),
    squeezed: gzipSync(pcapBytes(plainShape, Array.from({ length: 2000 }, () => packets).flat())).subarray(0, -40),
  });
  const { exitCode, stdout, stderr } = await runCli(['capinfo', '--json', ...files]);
  const [cut, squeezed] = JSON.parse(stdout) as { packets: number; readTo: number; problem: string }[];
  expect(cut).toMatchObject({ packets: 2, readTo: 164, problem: 'it ends in the middle of a packet or block' });
  expect(squeezed!.problem).toContain('its compressed data is damaged');
  expect(squeezed!.readTo).toBe(24 + 70 * squeezed!.packets);
  expect(stderr).toContain(`${files[0]!}: truncated: read up to byte 164`);
  expect(exitCode).toBe(1);
});

test('what is no trace, is not there or has an unknown link type is reported, and the other files are still printed', async () => {
  await using folder = await makeTemporaryFolder();
  const files = await makeFiles(folder.path, {
    text: Buffer.from('no trace at all'),
    nothing: new Uint8Array(0),
    '\x1b[2Jsteering': new Uint8Array(0),
    broken: gzipSync(whole).fill(0, 12),
    radio: pcapBytes({ ...plainShape, linkTypes: [105] }, packets),
    good: whole,
  });
  await mkdir(path.join(folder.path, 'folder'));
  const { exitCode, stdout, stderr } = await runCli([
    'capinfo',
    '--json',
    path.join(folder.path, 'absent'),
    path.join(folder.path, 'folder'),
    ...files,
  ]);
  const entries = JSON.parse(stdout) as { packets?: number; tcp?: unknown; problem?: string }[];
  expect(entries.map(({ packets: count, tcp }) => [count, tcp === null])).toEqual([
    [undefined, false],
    [undefined, false],
    [undefined, false],
    [undefined, false],
    [undefined, false],
    [undefined, false],
    [3, true],
    [3, false],
  ]);
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.replace(`${folder.path}/`, '')),
  ).toEqual([
    'absent: cannot be read (ENOENT): name a trace',
    'folder: cannot be read (EISDIR): name a trace, or compare a folder of them with --against',
    'text: is not a trace: it begins with 6e6f2074, unlike pcap and pcapng',
    'nothing: is not a trace: it ends before the end of a trace header',
    'steering: is not a trace: it ends before the end of a trace header',
    expect.stringContaining('broken: is not a trace: it cannot be decompressed') as string,
    'radio: link type 105 is not decoded: its 3 packets are only counted',
  ]);
  expect(exitCode).toBe(2);
});

test('a trace of an unknown link type that was counted whole is no misuse', async () => {
  await using folder = await makeTemporaryFolder();
  const [file] = await makeFiles(folder.path, { radio: pcapBytes({ ...plainShape, linkTypes: [105] }, packets) });
  const { exitCode, stdout, stderr } = await runCli(['capinfo', file!]);
  expect(stderr).toBe(`${file!}: link type 105 is not decoded: its 3 packets are only counted\n`);
  expect(stdout).toMatch(/^Packets: +3$/m);
  expect(exitCode).toBe(0);
});

test('packets that carry others in what is not looked into are named', async () => {
  await using folder = await makeTemporaryFolder();
  const inPppoe = joinBytes(new Uint8Array(12), Uint8Array.of(0x88, 0x64, 0x11, 0, 0, 1, 0, 2, 0, 0x21));
  const [file] = await makeFiles(folder.path, {
    'dsl.pcap': pcapBytes(plainShape, [...packets, { epochNs: startEpochNs, bytes: inPppoe }]),
  });
  const { exitCode, stdout, stderr } = await runCli(['capinfo', file!]);
  expect(stdout).toMatch(/^In PPPoE: +1 packets, not looked into$/m);
  expect(stderr).toContain('1 packets carry others in PPPoE, which is not looked into');
  expect(exitCode).toBe(0);
});

test('a duration has the digits of the trace, and none that a double adds', async () => {
  await using folder = await makeTemporaryFolder();
  const [packet] = packets;
  // In doubles, this is 2 - 0.815959606.
  const times = [packet!.epochNs + 900_000_000n, packet!.epochNs + 2_084_040_394n];
  const [file] = await makeFiles(folder.path, {
    trace: pcapBytes(
      plainShape,
      times.map((epochNs) => ({ ...packet!, epochNs })),
    ),
  });
  const { stdout } = await runCli(['capinfo', '--json', file!]);
  expect(stdout).toContain('"durationS":1.184040394,');
});

test('- reads standard input', () => {
  const main = path.resolve(import.meta.dirname, '../../../cli/main.ts');
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', main, 'capinfo', '-', '--json'],
    { input: whole, encoding: 'utf8' },
  );
  expect(JSON.parse(stdout)).toMatchObject([{ file: '-', packets: 3 }]);
  expect(status).toBe(0);
});

test('a comparison says that capinfos is missing before it reads a file', async () => {
  await using folder = await makeTemporaryFolder();
  const main = path.resolve(import.meta.dirname, '../../../cli/main.ts');
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', main, 'capinfo', folder.path, '--against', 'capinfos'],
    { env: { ...process.env, PATH: folder.path }, encoding: 'utf8' },
  );
  expect(stderr).toContain('capinfos is not installed: install the programs of Wireshark');
  expect(status).toBe(2);
});

test('a local address that is none is refused before any file is read', async () => {
  const { exitCode, stdout, stderr } = await runCli(['capinfo', '/absent', '--local', '10.0.0.300']);
  expect(stderr).toBe('"10.0.0.300" is not an IP address: write one such as 192.0.2.1 or 2001:db8::1\n');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

import type { PacketSource } from '#agent/capture/live-capture.ts';
import { startCapture } from '#agent/capture/start-capture.ts';

/** Captures until it is killed: `node hold-capture.ts PROGRAM FILTER FILE`. */
const [, , program, filter, file] = process.argv;
await startCapture({
  interface: 'lo',
  filter: filter!,
  file: file!,
  localAddresses: [],
  programs: [program as PacketSource['program']],
});
console.log('capturing');

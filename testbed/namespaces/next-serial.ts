let lastSerial = 0;

/** Distinguishes the testbeds of one process, which may be opened side by side. */
export function nextSerial(): number {
  return ++lastSerial;
}

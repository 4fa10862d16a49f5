const recordHeaderBytes = 5;
const contentTypes = { changeCipherSpec: 20, handshake: 22, applicationData: 23 } as const;
/** AEAD tag and inner content type of TLS 1.3; TLS 1.2 adds up to 24. */
const sealBytes = 17;

/**
 * Counts what one end of a connection sent for its application: all of it without TLS, else the contents of its records after the handshake, alerts
 * included. Reads record headers alone. Where the snap length cut one, all that follows counts.
 */
export class ApplicationBytes {
  bytes = 0;
  #kind: 'unknown' | 'plain' | 'tls' | 'opaque' = 'unknown';
  /** Where the next record begins in the stream; behind that, for other kinds, everything was counted. */
  #next = 0;
  #followsCipherChange = false;

  get isTls(): boolean {
    return this.#kind === 'tls' || this.#kind === 'opaque';
  }

  /** A segment's payload: where it begins in the stream, how long it is, and what of it was captured. */
  add(start: number, { length, captured }: { length: number; captured: Uint8Array }): void {
    if (this.#kind === 'unknown' && start === 0 && captured.length > 0)
      this.#kind = captured[0] === contentTypes.handshake ? 'tls' : 'plain';
    if (this.#kind === 'tls') this.#readRecords(start, { length, captured });
    else if (this.#kind !== 'unknown') this.#countFrom(start + length);
  }

  #readRecords(start: number, { length, captured }: { length: number; captured: Uint8Array }): void {
    while (this.#next < start + length) {
      const at = this.#next - start;
      if (at < 0 || at + recordHeaderBytes > captured.length) {
        this.#kind = 'opaque';
        this.#countFrom(start + length);
        return;
      }
      const contentBytes = (captured[at + 3]! << 8) | captured[at + 4]!;
      this.#countRecord(captured[at]!, contentBytes);
      this.#next += recordHeaderBytes + contentBytes;
    }
  }

  #countRecord(type: number, contentBytes: number): void {
    // The first one after the change of ciphers is the handshake's own end, which TLS 1.3 sends as application data.
    if (type === contentTypes.applicationData && !this.#followsCipherChange)
      this.bytes += Math.max(0, contentBytes - sealBytes);
    this.#followsCipherChange = type === contentTypes.changeCipherSpec;
  }

  #countFrom(end: number): void {
    this.bytes += Math.max(0, end - this.#next);
    this.#next = Math.max(this.#next, end);
  }
}

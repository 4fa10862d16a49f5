/** Bytes that come in order, such as those of a connection. What is not taken stays. */
export interface ByteSource {
  /** What has come and was not taken. */
  readonly bytes: Buffer;
  /** Takes up to so many bytes of those that have come. */
  take(length: number): Buffer;
  /** Waits for more. False: no more will come. Rejects with what broke the connection. */
  fill(): Promise<boolean>;
}

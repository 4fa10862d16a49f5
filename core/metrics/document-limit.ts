/** A base page of more bytes, decompressed or not, is not loaded to its end: `too-large`. Ten times the largest that people read. */
export const maximumDocumentBytes = 64 * 2 ** 20;

/** Replaces a secret value. */
export const redacted = '[redacted]';

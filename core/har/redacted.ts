/** What stands in place of a secret value. */
export const redacted = '[redacted]';

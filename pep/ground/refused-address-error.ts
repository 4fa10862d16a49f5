/** The ground end does not connect to private, loopback and link-local addresses. */
export class RefusedAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not on the public network. To allow it, start the ground end with --allow-private`);
    this.name = 'RefusedAddressError';
  }
}

/** The ground end does not connect to private, loopback and link-local addresses. */
export class RefusedAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not on the public network. To allow it, name it with --allow-private of the ground end`);
    this.name = 'RefusedAddressError';
  }
}

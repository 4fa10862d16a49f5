/** The one-time link of a ticket, which stands behind the `#`: no browser sends that to a server. */
export function inviteLink(controllerUrl: string, ticket: string): string {
  return `${controllerUrl}/sign-in#${new URLSearchParams({ ticket }).toString()}`;
}
